import { randomBytes } from 'node:crypto';

// Letters and digits that people don't confuse with each other
const letters = 'abcdefghjkmnpqrstuvwxyz23456';

/** A random code for people to type, in groups joined by hyphens. Each character has 4.8 bits. */
export function readableCode(length: number, groupLength: number): string {
  let text = '';
  while (text.length < length) {
    // 252 is the largest multiple of 28 in a byte: with more, some characters would come more often
    for (const byte of randomBytes(length)) if (byte < 252 && text.length < length) text += letters[byte % 28];
  }
  return text.match(new RegExp(`.{1,${groupLength}}`, 'g'))?.join('-') ?? text;
}

/** A typed code in its plain form: people type it with and without hyphens, and in capitals. */
export function plainCode(typed: string): string {
  return typed.toLowerCase().replaceAll(/[\s-]/g, '');
}
