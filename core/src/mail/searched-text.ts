import type { ParsedMessage } from './parsed-message.ts';
import { wordsFromHtml } from './text-from-html.ts';

/** A longer text, a book for example, is found by its beginning. */
export const searchedCharacters = 300_000;

const word = /[\p{L}\p{M}\p{N}]+/gu;

/**
 * The words of a message, without its markup. Of a message in two forms the reader sees the HTML.
 * Most senders say the same in both; some say in the plain text that there is HTML, and nothing
 * else. So the lines of the plain text follow that have words which the HTML does not have.
 */
export function searchedText({ text, html }: Pick<ParsedMessage, 'text' | 'html'>): string {
  const plain = (text ?? '').slice(0, searchedCharacters);
  if (html === null) return plain;
  const shown = wordsFromHtml(html.slice(0, searchedCharacters * 4));
  const others = linesWithOtherWords(plain, new Set(wordsOf(shown)));
  return [shown, ...others].join('\n').slice(0, searchedCharacters);
}

function linesWithOtherWords(plain: string, known: ReadonlySet<string>): string[] {
  return plain.split('\n').filter((line) => wordsOf(line).some((one) => !known.has(one)));
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(word) ?? [];
}
