import { withoutInvisible } from '../mail/preview.ts';
import type { SearchColumn, SearchTerm } from '../search-index/search-query.ts';
import { placedForm, type PlacedWord, placedWords, withoutUnseen } from '../search-index/words.ts';

/** The range of a hit in a text: its first character, and the one after its last. */
export type Mark = [start: number, end: number];

const mostMarks = 50;
/** How much of a long text is shown before its first hit. */
const leadingCharacters = 40;
const snippetCharacters = 200;

/**
 * Finds the terms of a search in a text of a column.
 * @returns the hits in their order, without overlaps
 */
export function findMarks(text: string, column: SearchColumn, terms: readonly SearchTerm[]): Mark[] {
  const wanted = terms.filter((term) => !term.isExcluded && (term.column === null || term.column === column));
  if (wanted.length === 0 || text === '') return [];
  const placed = placedWords(text);
  const marks = wanted.flatMap((term) => marksOf(placed, term));
  return withoutOverlaps(marks).slice(0, mostMarks);
}

/**
 * The part of a long text around the first hit, as one line, with its marks; null without a hit.
 */
export function findSnippet(text: string, terms: readonly SearchTerm[]): { text: string; marks: Mark[] } | null {
  const [first] = findMarks(text, 'body', terms);
  if (first === undefined) return null;
  const from = Math.max(0, first[0] - leadingCharacters);
  const start = from === 0 ? 0 : from + Math.max(0, text.slice(from, first[0]).search(/\s/)) + 1;
  const part = withoutUnseen(text.slice(Math.min(start, first[0]), first[0] + snippetCharacters));
  const line = withoutInvisible(part).replace(/\s+/g, ' ').trim();
  const snippet = start === 0 ? line : `… ${line}`;
  return { text: snippet, marks: findMarks(snippet, 'body', terms) };
}

function marksOf(placed: readonly PlacedWord[], { words, isPrefix }: SearchTerm): Mark[] {
  const wanted = placedForm(words);
  const marks: Mark[] = [];
  for (let index = 0; index + wanted.length <= placed.length; index++) {
    const isHit = wanted.every((word, offset) => {
      const found = placed[index + offset]?.word ?? '';
      return isPrefix && offset === wanted.length - 1 ? found.startsWith(word) : found === word;
    });
    const [first, last] = [placed[index], placed[index + wanted.length - 1]];
    if (isHit && first && last) marks.push([first.start, last.end]);
  }
  return marks;
}

function withoutOverlaps(marks: Mark[]): Mark[] {
  const kept: Mark[] = [];
  for (const mark of marks.toSorted((one, other) => one[0] - other[0] || other[1] - one[1])) {
    if (mark[0] >= (kept.at(-1)?.[1] ?? 0)) kept.push(mark);
  }
  return kept;
}
