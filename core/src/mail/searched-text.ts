import type { ParsedMessage } from './parsed-message.ts';
import { wordsFromHtml } from './text-from-html.ts';

/** Of a longer text, such as a book, only the beginning can be found. */
export const searchedCharacters = 300_000;

const word = /[\p{L}\p{M}\p{N}]+/gu;

/**
 * The words of a message, without its markup. If it has two forms, the reader sees the HTML. Most
 * senders say the same in both; some say in the plain text only that there is HTML. So this returns
 * the HTML's words, followed by the lines of the plain text that have other words.
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
