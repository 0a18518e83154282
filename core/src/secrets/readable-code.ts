import { randomBytes } from 'node:crypto';

// Letters that nobody mistakes for one another.
const letters = 'abcdefghjkmnpqrstuvwxyz23456';

/** A random code for people to type, in groups joined by hyphens. Each letter is worth 4.8 bits. */
export function readableCode(length: number, groupLength: number): string {
  let text = '';
  while (text.length < length) {
    // 252 is the largest multiple of 28 in a byte: above it some letters would come more often
    for (const byte of randomBytes(length)) if (byte < 252 && text.length < length) text += letters[byte % 28];
  }
  return text.match(new RegExp(`.{1,${groupLength}}`, 'g'))?.join('-') ?? text;
}

/** A code as it was meant: people type it with and without the hyphens and in capitals. */
export function plainCode(typed: string): string {
  return typed.toLowerCase().replaceAll(/[\s-]/g, '');
}
