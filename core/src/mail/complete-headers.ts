import { countAuthors, maxFromLength } from './count-authors.ts';
import { bodyOffset, normaliseLineEnds } from './crlf.ts';
import { removeForgedResults } from './forged-results.ts';
import { charsetByLabel, decodeBinary } from './decode-bytes.ts';
import { HeaderFields, safeWording } from './header-fields.ts';
import { rawParameter, readMimeValue } from './structure/mime-value.ts';

/** Header fields that are added to a message that lacks them. */
export interface CompletionInput {
  /** Used when the message has no usable Date field. */
  date: Date;
  /** With angle brackets; used when the message has no Message-ID. */
  messageId: string;
  /** Name of this host; authentication results that the sender forged in its name are removed. */
  hostname: string;
}

/** The message in the form in which it is sent, or why it can't be sent. */
export type CompletedMessage =
  | {
      kind: 'complete';
      raw: Buffer;
      messageId: string;
      from: string;
      /** The addresses in To, Cc and Bcc, as written, each once. */
      recipients: string[];
      /** The addresses in Bcc only. */
      bcc: string[];
    }
  | {
      kind: 'refused';
      reason: 'no_header' | 'from_missing' | 'from_repeated' | 'header_malformed' | 'line_too_long';
      text: string;
    };

interface Field {
  key: string;
  /** The whole field as binary text, without its final CRLF. */
  line: string;
}

/**
 * Makes a submitted message fit to send: lines end with CRLF, Date and Message-ID are present. Bcc,
 * and authentication results forged in the name of this host, are removed. The body and all other
 * fields stay byte for byte.
 */
export function completeHeaders(message: Buffer, input: CompletionInput): CompletedMessage {
  const raw = normaliseLineEnds(message);
  const bodyAt = bodyOffset(raw);
  const fields = readFields(raw.toString('latin1', 0, bodyAt));
  if (!fields) return refuse('header_malformed', 'a line of the header is not a header field');
  const values = new HeaderFields(fields, (text) => text);
  if (fields.length === 0) return refuse('no_header', 'the message has no header');
  const refused = checkAuthor(values);
  if (refused) return refused;
  const messageId = values.messageId('message-id');
  const kept = fields.filter((field) => !isDropped(field.key, values));
  if (!values.date()) kept.push({ key: 'date', line: `Date: ${headerDate(input.date)}` });
  if (!messageId) kept.push({ key: 'message-id', line: `Message-ID: ${input.messageId}` });
  // Raw bytes that are not UTF-8 could not be signed, so they are converted as a reader would guess
  // them. Each field is converted by itself, since programs write their own fields in other
  // charsets
  const charset = charsetByLabel(rawParameter(readMimeValue(values.raw('content-type')).raw, 'charset') ?? '');
  const header = Buffer.from(`${kept.map((field) => `${textOf(field, charset)}\r\n`).join('')}\r\n`);
  return {
    kind: 'complete',
    raw: Buffer.concat([removeForgedResults(header, input.hostname), raw.subarray(bodyAt)]),
    messageId: messageId ?? input.messageId,
    from: values.addresses('from')[0]?.address ?? '',
    ...findRecipients(values),
  };
}

/** Why the From field does not name exactly one author; null when it does. */
function checkAuthor(values: HeaderFields): CompletedMessage | null {
  if (values.count('from') === 0) return refuse('from_missing', 'the message has no From address');
  // With more than one author, no single author is responsible, and readers show only one of them
  const repeated = refuse('from_repeated', 'the message has more than one From address');
  if (values.count('from') > 1) return repeated;
  if (values.raw('from').length > maxFromLength) return refuse('header_malformed', 'the From field is too long');
  const listed = values.addresses('from');
  if (listed.length === 0) return refuse('from_missing', 'the message has no From address');
  return listed.length > 1 || countAuthors(values.raw('from')) > 1 ? repeated : null;
}

/** A date as RFC 5322 3.3 writes it. */
export function headerDate(date: Date): string {
  return date.toUTCString().replace('GMT', '+0000');
}

function textOf({ key, line }: Field, charset: string | undefined): string {
  const worded = decodeBinary(line, charset);
  return key === 'subject' ? worded : safeWording({ plain: decodeBinary(line), worded });
}

function isDropped(key: string, values: HeaderFields): boolean {
  if (key === 'bcc' || key === 'resent-bcc') return true;
  // Relays add it; one that a client has added would be believed
  if (key === 'return-path') return true;
  if (key === 'date') return !values.date();
  return key === 'message-id' && !values.messageId('message-id');
}

function findRecipients(values: HeaderFields): { recipients: string[]; bcc: string[] } {
  const visible = [...values.addresses('to'), ...values.addresses('cc')].map((mailbox) => mailbox.address);
  const hidden = values.addresses('bcc').map((mailbox) => mailbox.address);
  const isAddress = (address: string) => address.includes('@');
  const seen = new Set(visible);
  const bcc = [...new Set(hidden.filter((address) => isAddress(address) && !seen.has(address)))];
  return { recipients: [...new Set([...visible, ...hidden].filter(isAddress))], bcc };
}

/** The fields of a header block with their continuation lines; null when a line is neither. */
function readFields(block: string): Field[] | null {
  const fields: Field[] = [];
  const text = block.replace(/(?:\r\n)+$/, '');
  if (text === '') return fields;
  for (const line of text.split(/\r\n(?![ \t])/)) {
    const key = /^([!-9;-~]+)[ \t]*:/.exec(line)?.[1];
    if (key === undefined) return null;
    fields.push({ key: key.toLowerCase(), line });
  }
  return fields;
}

function refuse(reason: Extract<CompletedMessage, { kind: 'refused' }>['reason'], text: string): CompletedMessage {
  return { kind: 'refused', reason, text };
}
