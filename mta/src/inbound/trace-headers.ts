import { headerDate } from '@selvage/core/mail/complete-headers';
import { type Client, protocolOf } from './client-of.ts';

/** How a message arrived. */
export interface Arrival extends Client {
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
export function traceHeaders(arrival: Arrival): string {
  return [`Return-Path: <${headerWord(arrival.from)}>\r\n`, arrival.authenticationResults, received(arrival)].join('');
}

/**
 * RFC 5321 4.4. The recipient is named only when there is one. With several, the field would tell
 * each of them about the others.
 */
function received({ ip, helo, isExtended, tls, hostname, mailId, recipients, date }: Arrival): string {
  const protocol = protocolOf({ isExtended, tls });
  const literal = ip.includes(':') ? `IPv6:${ip}` : ip;
  const only = recipients.length === 1 ? `\r\n\tfor <${headerWord(recipients[0] ?? '')}>` : '';
  const cipher = tls ? ` (${tls})` : '';
  return (
    `Received: from ${headerWord(helo)} ([${literal}])\r\n` +
    `\tby ${hostname} with ${protocol} id ${mailId}${cipher}${only};\r\n\t${headerDate(date)}\r\n`
  );
}

/** The peer chose these words. What could begin a header line or a comment is removed from them. */
function headerWord(text: string): string {
  return text.replace(/[\p{Cc}()<>;\s]+/gu, '').slice(0, 320);
}
