import type { NamedAddress } from './mailbox-text.ts';

/*
 * How people are found by the beginnings of words while an address is typed:
 *
 *   Jörg O'Neil <j.oneil@wool.example>
 *     -> jorg o'neil j.oneil@wool.example wool.example o neil j oneil wool example
 *
 * What is typed is read the same way, and each of its words has to begin one of these.
 */

/** A longer word is cut: it is told apart by its beginning. */
const longestWord = 64;
const mostWords = 14;
const mostAsked = 5;

/** Text as it is compared: lower case, without accents. */
function fold(text: string): string {
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

/** The words by whose beginnings a person or a group is found. */
export function personWords({ name, address }: NamedAddress): string[] {
  const [words, where] = [fold(name.slice(0, 255)), fold(address.slice(0, 320))];
  const whole = words.split(/\s+/).map((word) => word.replace(/^[^\p{L}\p{N}]+/u, ''));
  const pieces = `${words} ${where}`.split(/[^\p{L}\p{N}]+/u);
  return distinct([...whole, where, where.slice(where.lastIndexOf('@') + 1), ...pieces], mostWords);
}

/** The words of what was typed, each of which has to begin a word of the person. */
export function askedBeginnings(text: string): string[] {
  return distinct(fold(text.slice(0, 320)).split(/[\s"<>(),;]+/), mostAsked);
}

/** Whether each beginning begins one of the words. */
export function fitsPerson(words: readonly string[], beginnings: readonly string[]): boolean {
  return beginnings.every((beginning) => words.some((word) => word.startsWith(beginning)));
}
