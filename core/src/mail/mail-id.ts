import { randomBytes } from 'node:crypto';

// Crockford's base 32, whose characters people don't mistake for one another
const letters = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * A new mail id: 20 letters and digits that sort by time. It is safe in headers, logs and file
 * names.
 */
export function newMailId(now: number = Date.now()): string {
  let time = '';
  for (let rest = now; time.length < 10; rest = Math.floor(rest / 32)) time = (letters[rest % 32] ?? '') + time;
  return time + Array.from(randomBytes(10), (byte) => letters[byte % 32]).join('');
}
