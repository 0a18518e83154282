import { folderNameKey } from '@selvage/core/contracts/own-folders';
import { searchPiece } from '@selvage/core/contracts/search';

/** The folders of the host that a search can be narrowed to. */
export const searchedFolders = ['inbox', 'snoozed', 'sent', 'archive', 'draft', 'junk', 'trash'] as const;

/** Conditions that the page offers besides words, in the syntax of the search. */
export const toggles = { unread: 'is:unread', starred: 'is:starred', files: 'has:attachment' } as const;
export type Toggle = keyof typeof toggles;

/** Spans of time before today, in days. */
export const spans = { week: 7, month: 31, year: 366 } as const;
export type Span = keyof typeof spans;

/** Typographic quotes, which phones insert. The server takes them for plain ones. */
const otherQuotes = /[“”„‟«»]/g;

/**
 * The pieces of a search text, without spaces after operators. The last quote may lack its end and
 * gets it, so that what is added behind it stays outside.
 */
function piecesOf(text: string): string[] {
  const pieces = text.replace(otherQuotes, '"').match(searchPiece) ?? [];
  return pieces.map((piece) => piece.replace(/^(-?[a-z_]+:)\s+/i, '$1').replace(/^-?(?:[a-z_]+:)?"[^"]*$/i, '$&"'));
}

function without(text: string, isDropped: (piece: string) => boolean): string[] {
  return piecesOf(text).filter((piece) => !isDropped(piece.toLowerCase()));
}

/** Says whether the text has the condition. */
export function hasToggle(text: string, toggle: Toggle): boolean {
  return piecesOf(text).some((piece) => piece.toLowerCase() === toggles[toggle]);
}

/** The text with the condition, or without it. */
export function withToggle(text: string, toggle: Toggle, isOn: boolean): string {
  const rest = without(text, (piece) => piece === toggles[toggle]);
  return [...rest, ...(isOn ? [toggles[toggle]] : [])].join(' ');
}

/** The folder that the text names, of the host's or the person's own; empty for all folders. */
export function folderIn(text: string, own: readonly string[] = []): string {
  const named = piecesOf(text).findLast((piece) => /^in:/i.test(piece));
  const key = folderNameKey(named?.slice(3).replaceAll('"', '') ?? '');
  return [...searchedFolders, ...own].find((name) => folderNameKey(name) === key) ?? '';
}

/**
 * The text narrowed to a folder by its name, or to no folder. Exclusions of other folders are
 * removed.
 */
export function withFolder(text: string, folder: string): string {
  const rest = without(text, (piece) => (folder ? /^-?in:/ : /^in:/).test(piece));
  return [...rest, ...(folder ? [asValue('in', folder)] : [])].join(' ');
}

/** Conditions of time: those of this search, and those that other mail programs have. */
const ofTime = /^-?(after|before|newer|older|newer_than|older_than):/i;

/** The span of time that the text names; `own` for another time, empty for any. */
export function spanIn(text: string, today = new Date()): Span | 'own' | '' {
  const named = piecesOf(text).filter((piece) => ofTime.test(piece));
  if (named.length === 0) return '';
  const span = (Object.keys(spans) as Span[]).find((name) => named[0] === `after:${dayBefore(today, spans[name])}`);
  return named.length === 1 && span ? span : 'own';
}

/** The text narrowed to a span of time, or to none. */
export function withSpan(text: string, span: Span | '', today = new Date()): string {
  const rest = without(text, (piece) => ofTime.test(piece));
  return [...rest, ...(span ? [`after:${dayBefore(today, spans[span])}`] : [])].join(' ');
}

/** The day this many days before, where the person is, as `2026-11-23`. */
function dayBefore(today: Date, days: number): string {
  const date = new Date(today.getFullYear(), today.getMonth(), today.getDate() - days);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The words of a text as the value of an operator: `from:ana`, `subject:"two words"`. */
export function asValue(operator: string, text: string): string {
  const value = text.trim().replaceAll('"', '');
  return /\s/.test(value) ? `${operator}:"${value}"` : `${operator}:${value}`;
}

/** A text that has words alone, and no condition. */
export function isPlain(text: string): boolean {
  return !/[":]/.test(text) && text.trim() !== '';
}
