import { HeaderFields } from './header-fields.ts';

/** Real headers have the field within their first lines. */
const searchedBytes = 65_536;

/**
 * The Message-ID of a message that is not parsed, or of its beginning, with its angle brackets;
 * null when none is found.
 */
export function findMessageId(raw: Buffer): string | null {
  const start = raw.subarray(0, searchedBytes);
  const end = start.indexOf('\r\n\r\n');
  const header = start.toString('latin1', 0, end < 0 ? start.length : end);
  const line = /^message-id[ \t]*:(?:[^\r\n]|\r\n[ \t])*/im.exec(header)?.[0];
  if (line === undefined) return null;
  return new HeaderFields([{ key: 'message-id', line }], (text) => text).messageId('message-id');
}
