import { cutToLength } from './cut-text.ts';

/**
 * Text as one line: each run of control characters and line breaks becomes a space. It is cut at
 * `maxLength` UTF-16 units, but never inside a character.
 */
export function oneLine(text: string, maxLength: number): string {
  return cutToLength(text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim(), maxLength);
}
