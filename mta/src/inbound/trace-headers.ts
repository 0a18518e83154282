import { headerDate } from '@selvage/core/mail/complete-headers';
import { type Client, protocolOf } from './client-of.ts';

/** What the trace headers of this host say of a message. */
export interface Trace extends Client {
  hostname: string;
  mailId: string;
  from: string;
  recipients: readonly string[];
  authenticationResults: string;
  date: Date;
}

/**
 * The header lines of this host: Return-Path, Authentication-Results, Received, each with its CRLF.
 */
export function traceHeaders(trace: Trace): string {
  return [`Return-Path: <${headerWord(trace.from)}>\r\n`, trace.authenticationResults, received(trace)].join('');
}

/**
 * RFC 5321 4.4. The recipient is named only when there is one. With several, the field would tell
 * each of them about the others.
 */
function received({ ip, helo, isExtended, tls, hostname, mailId, recipients, date }: Trace): string {
  const protocol = protocolOf({ isExtended, tls });
  const literal = ip.includes(':') ? `IPv6:${ip}` : ip;
  const only = recipients.length === 1 ? `\r\n\tfor <${headerWord(recipients[0] ?? '')}>` : '';
  const cipher = tls ? ` (${tls})` : '';
  return (
    `Received: from ${headerWord(helo)} ([${literal}])\r\n` +
    `\tby ${hostname} with ${protocol} id ${mailId}${cipher}${only};\r\n\t${headerDate(date)}\r\n`
  );
}

/** Removes what could begin a header line or a comment from words that the peer chose. */
function headerWord(text: string): string {
  return text.replace(/[\p{Cc}()<>;\s]+/gu, '').slice(0, 320);
}
