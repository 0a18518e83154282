import { type Addr, parseAddressList } from './addresses.ts';
import { decodeBinary } from './decode-bytes.ts';
import type { HeaderLine } from './mime-reader.ts';
import { oneLine } from './one-line.ts';

type DecodeWords = (text: string) => string;

const maxTextLength = 998;
const maxReferences = 100;

/**
 * Header fields of one message by name, as text. Raw 8-bit bytes are read as UTF-8, else as
 * Windows-1252.
 */
export class HeaderFields {
  private readonly values = new Map<string, string[]>();
  private readonly decodeWords: DecodeWords;

  constructor(lines: HeaderLine[], decodeWords: DecodeWords) {
    this.decodeWords = decodeWords;
    for (const { key, line } of lines) {
      const value = unfold(decodeBinary(line.slice(line.indexOf(':') + 1)));
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
    return this.values.get(name)?.[0] ?? '';
  }

  /** Free text: encoded words decoded, one line, no control characters. */
  text(name: string): string {
    // More than any real text needs, even in base64; the limit keeps decoding cheap
    const decoded = this.decodeWords(this.raw(name).slice(0, maxTextLength * 16));
    return oneLine(decoded, maxTextLength);
  }

  /** Every mailbox of every field of that name. */
  addresses(name: string): Addr[] {
    const all = this.values.get(name) ?? [];
    return all.slice(0, 100).flatMap((value) => parseAddressList(value, this.decodeWords));
  }

  /** The first message id of the first field of that name. */
  messageId(name: string): string | null {
    return messageIds(this.raw(name))[0] ?? null;
  }

  /** The newest 100 message ids of that field. */
  messageIds(name: string): string[] {
    return messageIds((this.values.get(name) ?? []).join(' ')).slice(-maxReferences);
  }

  /** The date of the Date field; null when it is missing or is no date. */
  date(): Date | null {
    const text = this.raw('date')
      .slice(0, 200)
      .replace(/\([^()]*\)/g, ' ')
      .trim();
    const date = new Date(text);
    const year = date.getUTCFullYear();
    // Outside this span the sender's clock is wrong, and a database refuses some of these dates
    return text !== '' && year >= 1970 && year <= 9998 ? date : null;
  }
}

function messageIds(text: string): string[] {
  const ids = text.match(/<[^<>\s\p{Cc}]{1,996}>/gu) ?? [];
  if (ids.length > 0) return ids;
  // Some programs leave out the brackets
  const bare = text.trim();
  return /^[^<>\s\p{Cc}]{1,996}$/u.test(bare) ? [`<${bare}>`] : [];
}

function unfold(value: string): string {
  return value.replace(/\r?\n/g, '').replaceAll('\0', '').trim();
}
