import { randomUUID } from 'node:crypto';
import { bodyOffset, normaliseLineEnds } from './crlf.ts';
import { headerDate } from './complete-headers.ts';
import { removeForgedResults } from './forged-results.ts';
import { oneLine } from './one-line.ts';

/** One recipient of a report. */
export interface ReportedRecipient {
  address: string;
  /** Enhanced code, such as 5.1.1; without one, the report says 5.0.0 or 4.0.0. */
  status?: string | null;
  /** The remote server's own answer. */
  lastReply?: string | null;
  /** Name of the remote server. */
  remoteHost?: string | null;
  /** Until when the host will retry (delayed reports). */
  retryUntil?: Date | null;
  /** The cause in plain words. */
  explanation: string;
}

/** The contents of a report. */
export interface ReportInput {
  kind: 'failed' | 'delayed';
  /**
   * Whether the message is a forwarded copy. Then the report goes to the person who forwards it.
   */
  isForwarding?: boolean;
  /** Name of this host. */
  hostname: string;
  /** Envelope sender of the original message, who gets the report. */
  to: string;
  recipients: ReportedRecipient[];
  subject: string;
  /** The original message or its header; only the header is sent back. */
  original: Buffer;
  arrivedAt: Date;
  date: Date;
  /** With angle brackets. */
  messageId: string;
  /** Message-ID of the original, with angle brackets. */
  originalMessageId?: string | null;
  boundary?: string;
}

const maxOriginalHeader = 65_536;
const maxLineLength = 2000;

/**
 * A report to the sender (RFC 3464), to be stored or sent with the null envelope sender. The caller
 * must not report on a message that has the null sender itself.
 */
export function composeReport(input: ReportInput): Buffer {
  const boundary = input.boundary ?? `report-${randomUUID()}`;
  const head = [
    `From: Mail Delivery System <MAILER-DAEMON@${input.hostname}>`,
    `To: <${line(input.to)}>`,
    `Subject: ${subjectOf(input)}`,
    `Date: ${headerDate(input.date)}`,
    `Message-ID: ${line(input.messageId)}`,
    ...(input.originalMessageId ? [`In-Reply-To: ${line(input.originalMessageId)}`] : []),
    // RFC 3834 5: keeps programs from answering
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type=delivery-status;\r\n boundary="${boundary}"`,
  ].join('\r\n');
  const parts = [
    part('text/plain; charset=utf-8', '8bit', Buffer.from(humanText(input))),
    part('message/delivery-status', '7bit', Buffer.from(statusFields(input))),
    part('text/rfc822-headers', '8bit', removeForgedResults(originalHeader(input.original), input.hostname)),
  ];
  const delimiter = Buffer.from(`\r\n--${boundary}\r\n`);
  const body = parts.flatMap((bytes) => [delimiter, bytes]);
  return Buffer.concat([Buffer.from(`${head}\r\n`), ...body, Buffer.from(`\r\n--${boundary}--\r\n`)]);
}

function whatHappened({ kind, isForwarding }: ReportInput): string {
  if (kind === 'delayed')
    return 'Your message has not been delivered yet. You need do nothing: it will be tried again.';
  return isForwarding
    ? 'A message to you could not be forwarded to the address that you chose. You have it in your mailbox.'
    : 'Your message could not be delivered to one or more recipients. It will not be tried again.';
}

function subjectOf({ kind, isForwarding }: ReportInput): string {
  if (kind === 'delayed') return 'Delayed Mail (still being retried)';
  return isForwarding ? 'Mail could not be forwarded' : 'Undelivered Mail Returned to Sender';
}

function humanText(input: ReportInput): string {
  const lines = [
    `This is the mail system at ${input.hostname}.`,
    '',
    whatHappened(input),
    '',
    `Subject: ${line(input.subject)}`,
    '',
    ...input.recipients.flatMap((recipient) => recipientText(recipient)),
  ];
  return lines.map(wrap).join('\r\n');
}

function recipientText(recipient: ReportedRecipient): string[] {
  return [
    `<${line(recipient.address)}>: ${line(recipient.explanation)}`,
    ...(recipient.lastReply ? [`    ${whose(recipient)}: ${line(recipient.lastReply)}`] : []),
    ...(recipient.retryUntil ? [`    It will be tried until ${headerDate(recipient.retryUntil)}.`] : []),
    '',
  ];
}

/** Says whose words the reply is: if no server replied, they come from this host. */
function whose(recipient: ReportedRecipient): string {
  if (!recipient.remoteHost) return 'This host says';
  const host = line(recipient.remoteHost);
  return hasAnswered(recipient) ? `${host} said` : host;
}

/** Whether the text is an SMTP reply, and not the description of a failed connection. */
function hasAnswered({ remoteHost, lastReply }: ReportedRecipient): boolean {
  return Boolean(remoteHost) && /^[2-5]\d\d(?:[ -]|$)/.test(lastReply ?? '');
}

/** RFC 3464 2: fields about the message, then a group for each recipient. */
function statusFields(input: ReportInput): string {
  const message = [`Reporting-MTA: dns; ${input.hostname}`, `Arrival-Date: ${headerDate(input.arrivedAt)}`];
  const groups = input.recipients.map((recipient) => [
    `Final-Recipient: ${asciiAddress(recipient.address)}`,
    `Action: ${input.kind}`,
    `Status: ${statusCode(recipient.status, input.kind)}`,
    // RFC 3464 2.3.5 and 2.3.6: the server that has replied, and its own words
    ...(hasAnswered(recipient) ? [`Remote-MTA: dns; ${ascii(recipient.remoteHost ?? '')}`] : []),
    ...(recipient.lastReply ? [`Diagnostic-Code: ${diagnosis(recipient)}`] : []),
    ...(recipient.retryUntil ? [`Will-Retry-Until: ${headerDate(recipient.retryUntil)}`] : []),
  ]);
  return [message, ...groups].map((group) => `${group.join('\r\n')}\r\n`).join('\r\n');
}

function diagnosis(recipient: ReportedRecipient): string {
  const text = ascii(recipient.lastReply ?? '').slice(0, 900);
  return hasAnswered(recipient) ? `smtp; ${text}` : `x-selvage; ${text}`;
}

function statusCode(status: string | null | undefined, kind: ReportInput['kind']): string {
  const expected = kind === 'failed' ? '5' : '4';
  const isCode = status && /^[245]\.\d{1,3}\.\d{1,3}$/.test(status);
  return isCode && status.startsWith(expected) ? status : `${expected}.0.0`;
}

function asciiAddress(address: string): string {
  const text = line(address);
  // RFC 6533 3: utf-8 addresses in a 7-bit part
  if (/^[ -~]*$/.test(text)) return `rfc822; ${text}`;
  const escaped = Array.from(text, (one) =>
    one > '~' ? `\\x{${one.codePointAt(0)?.toString(16).toUpperCase()}}` : one,
  );
  return `utf-8; ${escaped.join('')}`;
}

function originalHeader(original: Buffer): Buffer {
  const header = normaliseLineEnds(original.subarray(0, Math.min(bodyOffset(original), maxOriginalHeader)));
  // A long header may be cut within a line. That line is left out
  const lastLine = header.lastIndexOf('\r\n');
  return lastLine < 0 ? header : header.subarray(0, lastLine + 2);
}

function part(contentType: string, encoding: string, body: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`Content-Type: ${contentType}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n`),
    body,
  ]);
}

/** A value made safe for a header field or a line of the text. */
function line(text: string): string {
  return oneLine(text, maxLineLength);
}

function ascii(text: string): string {
  return line(text).replace(/[^ -~]/g, '?');
}

/** RFC 5322 2.1.1: a line has at most 998 bytes; short ones are easier to read. */
function wrap(text: string): string {
  const words = text.split(' ');
  let out = '';
  let length = 0;
  for (const word of words) {
    const pieces = word.match(/.{1,200}/gu) ?? [''];
    for (const piece of pieces) {
      if (length > 0 && length + piece.length > 78) {
        out += '\r\n    ';
        length = 4;
      } else if (out !== '') {
        out += ' ';
      }
      out += piece;
      length += piece.length + 1;
    }
  }
  return out;
}
