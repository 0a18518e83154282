import { domainOf } from './address-rules.ts';
import type { NamedAddress } from './mailbox-text.ts';

/*
 * How people are found by the beginnings of words while an address is typed:
 *
 *   Jörg O'Neil <j.oneil@wool.example>
 *     -> jorg o'neil j.oneil@wool.example wool.example o neil j oneil wool example
 *
 * The typed text is folded in the same way and split at spaces and separators. Each of its words
 * has to be the beginning of one of these.
 */

/** A longer word is cut, and compared by its beginning. */
const longestWord = 64;
const mostWords = 14;
const mostAsked = 5;

/** The form in which text is compared: lower case, without accents. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss');
}

function distinct(words: readonly string[], most: number): string[] {
  const cut = words.filter((word) => word !== '').map((word) => Array.from(word).slice(0, longestWord).join(''));
  return [...new Set(cut)].slice(0, most);
}

/** The words by whose beginnings a person or a group can be found. */
export function personWords({ name, address }: NamedAddress): string[] {
  const [words, where] = [fold(name.slice(0, 255)), fold(address.slice(0, 320))];
  const whole = words.split(/\s+/).map((word) => word.replace(/^[^\p{L}\p{N}]+/u, ''));
  const pieces = `${words} ${where}`.split(/[^\p{L}\p{N}]+/u);
  return distinct([...whole, where, domainOf(where), ...pieces], mostWords);
}

/** The words that the person typed. Each has to be the beginning of a word of the found person. */
export function askedBeginnings(text: string): string[] {
  return distinct(fold(text.slice(0, 320)).split(/[\s"<>(),;]+/), mostAsked);
}

/** Whether each beginning matches at least one of the words. */
export function fitsPerson(words: readonly string[], beginnings: readonly string[]): boolean {
  return beginnings.every((beginning) => words.some((word) => word.startsWith(beginning)));
}

/** The parts of a text, as [start, end], where a word begins with something that was typed. */
export function markBeginnings(text: string, beginnings: readonly string[]): [number, number][] {
  const marks: [number, number][] = [];
  for (const { index } of text.matchAll(/(?<![\p{L}\p{N}\p{M}])[\p{L}\p{N}]/gu)) {
    if (index < (marks.at(-1)?.[1] ?? 0)) continue;
    const ends = beginnings.map((beginning) => endOfBeginning(text, index, beginning));
    const end = Math.max(0, ...ends);
    if (end > index) marks.push([index, end]);
  }
  return marks;
}

/** The end of a beginning that matches at a place of a text; 0 when it does not match. */
function endOfBeginning(text: string, start: number, beginning: string): number {
  let [folded, end] = ['', start];
  for (const letter of text.slice(start)) {
    const next = folded + fold(letter);
    // A combining mark belongs to the letter before it
    if (folded.length >= beginning.length && next !== folded) break;
    [folded, end] = [next, end + letter.length];
    if (!folded.startsWith(beginning.slice(0, folded.length))) return 0;
    if (folded.length > beginning.length) break;
  }
  return folded.startsWith(beginning) ? end : 0;
}
