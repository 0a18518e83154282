import { randomBytes } from 'node:crypto';

/** Crockford's base 32, whose characters people don't confuse. */
export const letters = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * Random bytes are drawn for many ids at once, since a call for each id would cost more than the
 * rest.
 */
const drawnBytes = 1000;
const idBytes = 10;
let drawn = Buffer.alloc(0);

function randomLetters(): string {
  if (drawn.length < idBytes) drawn = randomBytes(drawnBytes);
  const own = drawn.subarray(0, idBytes);
  drawn = drawn.subarray(idBytes);
  return Array.from(own, (byte) => letters[byte % 32]).join('');
}

/**
 * A new mail id: 20 letters and digits that sort by time. It is safe in headers, logs and file
 * names.
 */
export function newMailId(now: number = Date.now()): string {
  let time = '';
  for (let rest = now; time.length < 10; rest = Math.floor(rest / 32)) time = (letters[rest % 32] ?? '') + time;
  return time + randomLetters();
}

/** The time at which a mail id was made, in milliseconds. */
export function timeOfMailId(mailId: string): number {
  return Array.from(mailId.slice(0, 10)).reduce((time, letter) => time * 32 + letters.indexOf(letter), 0);
}
