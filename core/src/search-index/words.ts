/*
 * How text becomes the words of a search index. The words of a mail and those of a question are
 * made alike, so that the one finds the other:
 *
 *   Grüße  -> grusse          compatibility forms, lower case, ß as ss, accents removed
 *   IŞIK, ışık -> isik        letters that people type for others: ı as i, ł as l
 *   ana@x.test -> ana x test  an address is the row of its parts, and so is anything with signs
 *   東京都 -> 東京 京都 都     scripts without spaces: each pair of letters, and the last letter
 */

/** A longer run of letters is cut: people do not type it, and it may be an encoded file. */
const longestWord = 40;
/**
 * The most places of one word of a text in an index. A phrase is compared at each of them, so a
 * stranger could make searches costly by a letter that occurs a hundred thousand times in a mail.
 * In a text of 300,000 characters no real word occurs that often.
 */
const mostPlaces = 4000;
/** Replaces further occurrences of such a word. It is no letter, so no search can find it. */
const furtherPlace = '\ue000';

/** Accents of Latin, Greek and Cyrillic letters, and the vowel points of Hebrew and Arabic. */
const marks = /[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]+/g;
/**
 * Real letters have a handful of marks. Sorting thousands of them takes quadratic time. The voiced
 * marks of half-width kana are letters that become such marks.
 */
const longMarks = /([\p{M}\uff9e\uff9f]{20})[\p{M}\uff9e\uff9f]+/gu;
/** Invisible characters within a word, which say where it may be broken, and where not. */
const unseen = /[\u00ad\u200b\u2060\ufeff]+/g;
/** Letters that no Unicode normalisation splits, with the letters that people type instead. */
const typedFor: Record<string, string> = { ß: 'ss', ı: 'i', ς: 'σ', ł: 'l', ø: 'o', đ: 'd' };
const word = /[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}\u00ad\u200b\u2060\ufeff]*/gu;
/** Letters of the scripts that write words without spaces between them. */
const unspacedRun =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+/gu;

/** A word with its position in a text. */
export interface PlacedWord {
  word: string;
  start: number;
  end: number;
}

const beyondAscii = /[\u0080-\uffff]/;

/** Text in the form in which it is compared. Most text is ASCII, which needs no normalisation. */
function fold(text: string): string {
  if (!beyondAscii.test(text)) return text.toLowerCase();
  const short = withoutUnseen(text).replace(longMarks, '$1').normalize('NFKC').toLowerCase();
  const plain = short.normalize('NFD').replace(marks, '').normalize('NFC');
  return plain.replace(/[ßıςłøđ]/g, (letter) => typedFor[letter] ?? letter);
}

/** The text without invisible characters, such as soft hyphens. */
export function withoutUnseen(text: string): string {
  return text.replace(unseen, '');
}

/**
 * The words of a text in their order, separated by spaces, in the form of the index.
 * @param longest the most characters of the text; the rest is left out
 */
export function indexedWords(text: string, longest: number): string {
  const words: string[] = [];
  for (const [run] of fold(text.slice(0, longest)).slice(0, longest).matchAll(word)) {
    for (const part of partsOf(run)) for (const one of wordsOf(part)) words.push(one);
  }
  return (words.length > mostPlaces ? withFewPlaces(words) : words).join(' ');
}

/** Replaces occurrences of a word beyond `mostPlaces`. */
function withFewPlaces(words: readonly string[]): string[] {
  const places = new Map<string, number>();
  return words.map((one) => {
    const count = (places.get(one) ?? 0) + 1;
    places.set(one, count);
    return count > mostPlaces ? furtherPlace : one;
  });
}

/**
 * The words of a search. If it ends in a run without spaces, the text may continue after it. So the
 * last letter is only searched for as part of its pair.
 */
export function askedWords(text: string): { words: string[]; isUnspaced: boolean } {
  const parts = [...fold(text).matchAll(word)]
    .flatMap(([run]) => partsOf(run))
    .map((part) => ({ ...part, words: wordsOf(part) }));
  const last = parts.at(-1);
  if (last?.isUnspaced && last.words.length > 1) last.words.pop();
  return { words: parts.flatMap((part) => part.words), isUnspaced: last?.isUnspaced ?? false };
}

/** The words of a search in the form of `placedWords`. */
export function placedForm(words: readonly string[]): string[] {
  const placed: string[] = [];
  // The word before was a pair, whose second letter is the first letter of this one
  let isWithin = false;
  for (const one of words) {
    const letters = one.search(unspacedRun) < 0 ? [one] : Array.from(one);
    placed.push(...letters.slice(isWithin ? 1 : 0));
    isWithin = letters.length > 1;
  }
  return placed;
}

/**
 * The words of a text with their positions in it, for marking hits. In scripts without spaces, each
 * letter is a word.
 */
export function placedWords(text: string): PlacedWord[] {
  const placed: PlacedWord[] = [];
  for (const match of text.matchAll(word)) {
    const run = match[0];
    const start = match.index;
    if (run.search(unspacedRun) < 0) {
      placed.push({ word: cut(fold(run)), start, end: start + run.length });
      continue;
    }
    let at = start;
    for (const part of partsOf(run)) {
      const pieces = part.isUnspaced ? Array.from(part.text) : [part.text];
      for (const piece of pieces) {
        const folded = cut(fold(piece));
        if (folded !== '') placed.push({ word: folded, start: at, end: at + piece.length });
        at += piece.length;
      }
    }
  }
  return placed;
}

interface Part {
  text: string;
  isUnspaced: boolean;
}

/** The parts of a run of letters, separated into scripts with and without spaces. */
function partsOf(run: string): Part[] {
  if (!beyondAscii.test(run)) return [{ text: run, isUnspaced: false }];
  const parts: Part[] = [];
  let end = 0;
  for (const match of run.matchAll(unspacedRun)) {
    if (match.index > end) parts.push({ text: run.slice(end, match.index), isUnspaced: false });
    parts.push({ text: match[0], isUnspaced: true });
    end = match.index + match[0].length;
  }
  if (end < run.length) parts.push({ text: run.slice(end), isUnspaced: false });
  return parts;
}

function wordsOf({ text, isUnspaced }: Part): string[] {
  return isUnspaced ? pairsOf(text) : [cut(text)];
}

/**
 * Each pair of neighbouring letters, and the last letter, so that a search for one letter finds
 * each place.
 */
function pairsOf(run: string): string[] {
  const letters = Array.from(run);
  return letters.map((letter, index) => letter + (letters[index + 1] ?? ''));
}

function cut(text: string): string {
  return text.length > longestWord ? text.slice(0, longestWord).replace(/[\ud800-\udbff]$/, '') : text;
}
