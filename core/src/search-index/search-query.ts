import { folderNameKey } from '../contracts/own-folders.ts';
import { type Piece, piecesOf } from './search-pieces.ts';
import { askedWords } from './words.ts';
import { dayMs } from '../utc-day.ts';

/** The folders that `in:` names. `in:starred` means the star instead. */
const folderWords = {
  inbox: 'inbox',
  sent: 'sent',
  archive: 'archive',
  trash: 'trash',
  junk: 'junk',
  spam: 'junk',
  snoozed: 'snoozed',
  draft: 'draft',
  drafts: 'draft',
} as const;

/** A folder that can be searched. */
export type SearchedFolder = (typeof folderWords)[keyof typeof folderWords];

/** The column in which the words of a term are searched. */
export type SearchColumn = 'sender' | 'recipients' | 'subject' | 'body' | 'files' | 'attached';

/** Words that must be next to each other, in this order. */
export interface SearchTerm {
  words: string[];
  /** Null: in any column. */
  column: SearchColumn | null;
  /** The last word may be the beginning of a longer word. */
  isPrefix: boolean;
  /** Messages with the term are left out. */
  isExcluded: boolean;
  /** Messages with this term need not have the term before it. */
  isAlternative: boolean;
  /**
   * For an excluded term: only messages that also have the excluded term before it are left out.
   */
  isJoined?: true;
}

/** A folder with a role, or one that the person made. */
export type NamedFolder = SearchedFolder | `own:${string}`;

/** The conditions of a search. Each must be true for a hit. */
export interface SearchQuery {
  terms: SearchTerm[];
  folder?: NamedFolder;
  /** Folders in which a hit must not be. */
  notInFolders?: NamedFolder[];
  /** Ids of labels. A hit has all of them. */
  labelIds?: string[];
  /** Ids of labels. A hit has none of them. */
  withoutLabelIds?: string[];
  /** Also search Junk, which is left out unless it is named. */
  isAnywhere?: boolean;
  isUnread?: boolean;
  isStarred?: boolean;
  hasFiles?: boolean;
  /** Earliest arrival, in milliseconds since 1970. */
  from?: number;
  /** Arrival before this moment. */
  until?: number;
  /** More bytes than this. */
  larger?: number;
  /** Fewer bytes than this. */
  smaller?: number;
}

/** The clock of the person. */
export interface SearchClock {
  /** The moment at which the clock shows this time, which is given as if it were UTC. */
  momentOf: (wallClock: number) => number;
  /** The moment of the search. */
  now: number;
}

/** The folders and labels that a person made: their ids by `folderNameKey`. */
export interface OwnNames {
  folders: ReadonlyMap<string, string>;
  labels: ReadonlyMap<string, string>;
  /** The person's addresses, which `me` means. */
  addresses?: readonly string[];
}

const noNames: OwnNames = { folders: new Map(), labels: new Map() };

/** The most addresses of the person that `me` means, in addition to the other terms. */
const mostAddresses = 12;

/** The most alternatives of all pieces such as `from:me` and `has:image` together. */
const mostChoices = 2 * mostAddresses;

/** The most terms, which is more than a person types. Each costs a look-up in the index. */
const mostTerms = 12;
/**
 * The most words of all terms together. Each word of a phrase is compared at every place of the
 * words before it. If a longer phrase is cut, it finds only little more.
 */
const mostWords = 24;
/**
 * The shortest word that may be the beginning of a longer one. The index looks up each word with
 * this beginning, and shorter words have too many, unless they end with `*`. Also, more than
 * `mostPrefixes` such words take too long.
 */
const shortestPrefix = 4;
const shortestStarred = 2;
const mostPrefixes = 4;

// A Map and no object: a person may type `constructor:`, which is a property of each object
const columns: ReadonlyMap<string, SearchColumn> = new Map([
  ['from', 'sender'],
  ['to', 'recipients'],
  ['cc', 'recipients'],
  ['bcc', 'recipients'],
  ['subject', 'subject'],
  ['filename', 'files'],
  // These two names are Outlook's
  ['attachment', 'files'],
  ['attachments', 'files'],
]);

/** Kinds of files that `has:` names, with their extensions. */
const fileKinds: ReadonlyMap<string, readonly string[]> = new Map([
  ['pdf', ['pdf']],
  ['zip', ['zip']],
  ['image', ['jpg', 'jpeg', 'png', 'gif', 'heic', 'webp']],
  ['document', ['doc', 'docx', 'odt', 'pdf']],
  ['spreadsheet', ['xls', 'xlsx', 'ods', 'csv']],
  ['presentation', ['ppt', 'pptx', 'odp']],
]);

/** Typographic quotes, which phones insert instead of plain ones. */
const otherQuotes = /[“”„‟«»]/g;

/**
 * Parses a search as a person types it: words, `"phrases"`, `-without`, `NOT without`, `one OR
 * other`, `{one other}`, `from:` `to:` `subject:` `filename:` `has:attachment` `in:` `label:` `is:`
 * `before:` `after:` `older_than:` `newer_than:` `larger:` `smaller:`. Words of at least four
 * letters outside of quotes also find longer words, and shorter words do with a `*` at their end.
 * Text that looks like an operator and is none is searched as words, so no text is an error.
 * @param clock for the days of `before:` and `after:`; UTC unless given
 * @param own the names for `in:` besides the folders with a role, the names for `label:`, and the
 *   addresses that `me` means
 */
export function parseSearch(
  text: string,
  clock: SearchClock = { momentOf: (wallClock) => wallClock, now: Date.now() },
  own: OwnNames = noNames,
): SearchQuery {
  const query: SearchQuery = { terms: [] };
  const room: Room = { terms: mostTerms, words: mostWords, prefixes: mostPrefixes, choices: mostChoices };
  const pieces = piecesOf(text.replace(otherQuotes, '"'));
  let before: 'asked' | 'excluded' | null = null;
  pieces.forEach(({ found, isJoined }, index) => {
    if (isJoining(pieces, index, 'OR') || isJoining(pieces, index, 'AND') || isNot(pieces, index)) return;
    const [whole, minus, known, other = '', quoted, plain = ''] = found;
    const operator = known ?? other;
    const name = operator.toLowerCase();
    const value = quoted ?? plain;
    const isExcluded = minus !== undefined || isNot(pieces, index - 1);
    const isAlternative = before === 'asked' && !isExcluded && isJoining(pieces, index - 1, 'OR');
    const joined = isJoined && before === 'excluded' && { isJoined };
    before = null;
    const condition = { name, value, isExcluded };
    if (narrow(query, condition) || narrowByNumber(query, condition, clock)) return;
    if (narrowToOwn(query, condition, own)) return;
    before = isExcluded ? 'excluded' : 'asked';
    const column = columns.get(name) ?? null;
    const part = { column, isExcluded, isAlternative, ...joined };
    const choices = quoted === undefined ? choicesOf(condition, own) : null;
    if (choices) {
      if (!addChoices(query.terms, room, { ...part, ...choices })) before = null;
      return;
    }
    const words = operator !== '' && column === null ? whole.replace(/^-/, '') : value;
    addTerm(query.terms, room, { ...part, text: words, isQuoted: quoted !== undefined });
  });
  return query;
}

/**
 * Whether a piece is this operator between two others. At an end of the search it is a normal word.
 */
function isJoining(pieces: readonly Piece[], index: number, word: 'AND' | 'OR'): boolean {
  return pieces[index]?.found[0] === word && index > 0 && index < pieces.length - 1;
}

/**
 * Whether a piece is `NOT`, which excludes the next one. At the end of the search it is a normal
 * word.
 */
function isNot(pieces: readonly Piece[], index: number): boolean {
  return pieces[index]?.found[0] === 'NOT' && index < pieces.length - 1;
}

/** Alternative texts for one piece, and the column in which they are searched. */
interface Choices {
  texts: readonly string[];
  column: SearchColumn;
}

/** The addresses for `from:me`, and the extensions for `has:pdf`; null for any other piece. */
function choicesOf({ name, value }: Condition, { addresses = [] }: OwnNames): Choices | null {
  const word = value.toLowerCase();
  const endings = name === 'has' ? fileKinds.get(word) : undefined;
  if (endings) return { texts: endings, column: 'files' };
  const column = columns.get(name);
  const isOfPeople = column === 'sender' || column === 'recipients';
  return isOfPeople && word === 'me' && addresses.length > 0
    ? { texts: addresses.slice(0, mostAddresses), column }
    : null;
}

/**
 * Adds alternative texts, of which one is enough. They are left out unless there is room for all:
 * with some of them alone, the search would miss messages.
 * @returns whether they were added
 */
function addChoices(
  terms: SearchTerm[],
  room: Room,
  { texts, ...part }: Choices & Omit<SearchTerm, 'words' | 'isPrefix'>,
): boolean {
  if (texts.length > room.choices) return false;
  room.choices -= texts.length;
  for (const [index, text] of texts.entries()) {
    const isAlternative = !part.isExcluded && (index > 0 || part.isAlternative);
    terms.push({ ...part, words: askedWords(text).words, isPrefix: false, isAlternative });
  }
  return true;
}

/** How much more a search may contain. */
interface Room {
  terms: number;
  words: number;
  prefixes: number;
  choices: number;
}

interface TypedTerm extends Omit<SearchTerm, 'words' | 'isPrefix'> {
  text: string;
  isQuoted: boolean;
}

function addTerm(terms: SearchTerm[], room: Room, { text, isQuoted, ...part }: TypedTerm): void {
  const { words: all, isUnspaced } = askedWords(text);
  const words = all.slice(0, room.words);
  const last = words.at(-1);
  if (last === undefined || room.terms === 0) return;
  // A single letter of a script without spaces is the beginning of the pairs that start with it
  const isLong = last.length >= (text.endsWith('*') ? shortestStarred : shortestPrefix);
  const mayGoOn = isUnspaced ? Array.from(last).length === 1 : !isQuoted && isLong;
  const isPrefix = mayGoOn && room.prefixes > 0;
  terms.push({ ...part, words, isPrefix });
  room.terms -= 1;
  room.words -= words.length;
  if (isPrefix) room.prefixes -= 1;
}

/** An operator with its value. */
interface Condition {
  name: string;
  value: string;
  /** Messages with it are left out. */
  isExcluded: boolean;
}

/** Applies an operator without words to the query; false for any other operator. */
function narrow(query: SearchQuery, { name, value, isExcluded }: Condition): boolean {
  const word = value.toLowerCase();
  if (name === 'in' && Object.hasOwn(folderWords, word)) {
    narrowToFolder(query, folderWords[word as keyof typeof folderWords], isExcluded);
  } else if ((name === 'in' || name === 'is') && (word === 'starred' || word === 'flagged'))
    query.isStarred = !isExcluded;
  else if (name === 'in' && !isExcluded && (word === 'all' || word === 'anywhere')) searchAll(query);
  else if (name === 'is' && word === 'unread') query.isUnread = !isExcluded;
  else if (name === 'is' && word === 'read') query.isUnread = isExcluded;
  else if (name === 'has' && /^(attachment|attachments|file|files)$/.test(word)) query.hasFiles = !isExcluded;
  else if (/^hasattachments?$/.test(name) && /^(yes|true|no|false)$/.test(word)) {
    query.hasFiles = /^(yes|true)$/.test(word) !== isExcluded;
  } else return false;
  return true;
}

function narrowToFolder(query: SearchQuery, folder: NamedFolder, isExcluded: boolean): void {
  if (isExcluded) query.notInFolders = [...(query.notInFolders ?? []), folder];
  else query.folder = folder;
}

function searchAll(query: SearchQuery): void {
  delete query.folder;
  query.isAnywhere = true;
}

/** Applies the name of one of the person's folders or labels; false for any other name. */
function narrowToOwn(
  query: SearchQuery,
  { name, value, isExcluded }: Condition,
  { folders, labels }: OwnNames,
): boolean {
  const names = name === 'in' ? folders : name === 'label' ? labels : undefined;
  const id = names?.get(folderNameKey(value));
  if (id === undefined) return false;
  const ids = isExcluded ? 'withoutLabelIds' : 'labelIds';
  if (name === 'in') narrowToFolder(query, `own:${id}`, isExcluded);
  else query[ids] = [...new Set([...(query[ids] ?? []), id])].slice(0, mostTerms);
  return true;
}

/** For each operator, which end of the period its value sets, and whether the value is an age. */
const timeOperators: Record<string, { end: 'from' | 'until'; other: 'from' | 'until'; isAgo: boolean }> = {
  before: { end: 'until', other: 'from', isAgo: false },
  after: { end: 'from', other: 'until', isAgo: false },
  older: { end: 'until', other: 'from', isAgo: false },
  newer: { end: 'from', other: 'until', isAgo: false },
  older_than: { end: 'until', other: 'from', isAgo: true },
  newer_than: { end: 'from', other: 'until', isAgo: true },
};

/** Applies a day, an age or a size; false for any other operator or value. */
function narrowByNumber(query: SearchQuery, { name, value, isExcluded }: Condition, clock: SearchClock): boolean {
  const time = Object.hasOwn(timeOperators, name) ? timeOperators[name] : undefined;
  if (time) {
    const moment = time.isAgo ? spanBefore(value, clock.now) : dayOf(value, clock);
    if (moment === null) return false;
    query[isExcluded ? time.other : time.end] = moment;
    return true;
  }
  if (name !== 'larger' && name !== 'smaller') return false;
  const bytes = bytesOf(value.toLowerCase());
  if (bytes === null) return false;
  if (!isExcluded) query[name] = bytes;
  // A message that is not larger has at most this many bytes
  else if (name === 'larger') query.smaller = bytes + 1;
  else query.larger = bytes - 1;
  return true;
}

/**
 * The beginning of `2026-11-23`, `2026/11/23`, `23.11.2026`, `2026-11` or `2026`, in the person's
 * time zone.
 */
function dayOf(text: string, { momentOf }: SearchClock): number | null {
  const written = text.replace(/^(\d{1,2})\.(\d{1,2})\.(\d{4})$/, '$3-$2-$1');
  const match = /^([1-9]\d{3})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?$/.exec(written);
  if (!match) return null;
  const [year, month, day] = [Number(match[1]), Number(match[2] ?? 1), Number(match[3] ?? 1)];
  const date = new Date(Date.UTC(year, month - 1, day));
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal ? momentOf(date.getTime()) : null;
}

/** The moment that is `7d`, `2w`, `3m` or `1y` before now. */
function spanBefore(text: string, now: number): number | null {
  const match = /^(\d{1,4})([dwmy])$/i.exec(text);
  if (!match) return null;
  const [count, unit] = [Number(match[1]), match[2]?.toLowerCase()];
  if (unit === 'd' || unit === 'w') return now - count * (unit === 'd' ? 1 : 7) * dayMs;
  const months = unit === 'm' ? count : 12 * count;
  const date = new Date(now);
  const day = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() - months, 1);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  return date.getTime();
}

const units: Record<string, number> = {
  '': 1,
  b: 1,
  k: 1024,
  kb: 1024,
  m: 1_048_576,
  mb: 1_048_576,
  g: 2 ** 30,
  gb: 2 ** 30,
};

/** The bytes of `5M`, `300kb`, `1.5mb` or a plain number. */
function bytesOf(text: string): number | null {
  const match = /^(\d{1,12}(?:\.\d{1,3})?)([a-z]{0,2})$/.exec(text);
  const unit = units[match?.[2] ?? 'none'];
  return match && unit !== undefined ? Math.round(Number(match[1]) * unit) : null;
}
