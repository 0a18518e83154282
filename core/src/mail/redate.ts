import { bodyOffset } from './crlf.ts';
import { headerDate } from './complete-headers.ts';

/**
 * A message with another Date, for a message that leaves at another time than planned (D48). All
 * dates that this host writes have the same length, so all stored offsets of the message stay
 * valid.
 * @throws Error when the message has no Date of that form
 */
export function redate(raw: Buffer, date: Date): Buffer {
  const header = raw.toString('latin1', 0, bodyOffset(raw));
  const field = /^Date: ([^\r\n]*)\r\n(?![ \t])/im.exec(header);
  const value = headerDate(date);
  if (field === null || field[1]?.length !== value.length) throw new Error('the Date of a message cannot be replaced');
  const changed = Buffer.from(raw);
  changed.write(value, field.index + 'Date: '.length, 'latin1');
  return changed;
}
