import { type Addr, parseAddressList } from './addresses.ts';
import { decodeBinary, decodeWording } from './decode-bytes.ts';
import type { HeaderLine } from './mime-reader.ts';
import { oneLine } from './one-line.ts';

type DecodeWords = (text: string) => string;

const maxTextLength = 998;
const maxReferences = 100;

interface FieldValue {
  /** The value with raw 8-bit bytes read as UTF-8, else as Windows-1252. */
  plain: string;
  /** The value with raw 8-bit bytes read as UTF-8, else in the charset of the message. */
  worded: string;
}

/**
 * Whether the meaning of a text depends on a charset: it has bytes beyond ASCII, or the escape
 * sequences of ISO-2022-JP.
 */
const needsCharset = (text: string): boolean => text.includes('\x1b') || /[\x80-\xff]/.test(text);

/** Header fields of one message by name, as text. */
export class HeaderFields {
  private readonly values = new Map<string, FieldValue[]>();
  private readonly decodeWords: DecodeWords;

  /** @param charset of the words of the message, in the form of `charsetByLabel` */
  constructor(lines: HeaderLine[], decodeWords: DecodeWords, charset?: string) {
    this.decodeWords = decodeWords;
    for (const { key, line } of lines) {
      const written = line.slice(line.indexOf(':') + 1);
      const plain = unfold(decodeBinary(written));
      const worded = needsCharset(written) ? unfold(decodeWording(Buffer.from(written, 'latin1'), charset)) : plain;
      const value = { plain, worded };
      const known = this.values.get(key);
      if (known) known.push(value);
      else this.values.set(key, [value]);
    }
  }

  /** The number of fields of that name. */
  count(name: string): number {
    return this.values.get(name)?.length ?? 0;
  }

  /** The first field of that name, not decoded. */
  raw(name: string): string {
    return this.values.get(name)?.[0]?.plain ?? '';
  }

  /** Free text: encoded words decoded, one line, no control characters. */
  text(name: string, longest = maxTextLength): string {
    // This is more than any real text needs, even in base64. The limit keeps decoding cheap
    const worded = this.values.get(name)?.[0]?.worded ?? '';
    const decoded = this.decodeWords(worded.slice(0, maxTextLength * 16));
    return oneLine(decoded, longest);
  }

  /** Every mailbox of every field of that name. */
  addresses(name: string): Addr[] {
    const all = this.values.get(name) ?? [];
    return all.slice(0, 100).flatMap((value) => parseAddressList(safeWording(value), this.decodeWords));
  }

  /** The first message id of the first field of that name. */
  messageId(name: string): string | null {
    return messageIds(this.raw(name))[0] ?? null;
  }

  /** The newest 100 message ids of that field. */
  messageIds(name: string): string[] {
    return messageIds((this.values.get(name) ?? []).map(({ plain }) => plain).join(' ')).slice(-maxReferences);
  }

  /** The date of the Date field; null when it is missing or is no date. */
  date(): Date | null {
    const text = this.raw('date')
      .slice(0, 200)
      .replace(/\([^()]*\)/g, ' ')
      .trim();
    const date = new Date(text);
    const year = date.getUTCFullYear();
    // Outside this span the sender's clock is wrong, and the database rejects some of these dates
    return text !== '' && year >= 1970 && year <= 9998 ? date : null;
  }
}

/**
 * The text of a field, read in the charset of the message unless that changes its addresses. In
 * some charsets the byte of an @ is half of a letter. The checks of the sender use no charset, so
 * the addresses must be the same as without it.
 */
export function safeWording({ plain, worded }: FieldValue): string {
  return plain === worded || addressesIn(plain) === addressesIn(worded) ? worded : plain;
}

function addressesIn(list: string): string {
  return parseAddressList(list)
    .map(({ address }) => address)
    .filter((address) => address !== '')
    .join('\n');
}

function messageIds(text: string): string[] {
  const ids = text.match(/<[^<>\s\p{Cc}]{1,995}>/gu) ?? [];
  if (ids.length > 0) return ids;
  // Some programs leave out the brackets
  const bare = text.trim();
  return /^[^<>\s\p{Cc}]{1,995}$/u.test(bare) ? [`<${bare}>`] : [];
}

function unfold(value: string): string {
  return value.replace(/\r?\n/g, '').replaceAll('\0', '').trim();
}
