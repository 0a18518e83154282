import { folderNameKey } from '../contracts/own-folders.ts';
import { type Piece, piecesOf } from './search-pieces.ts';
import { askedWords } from './words.ts';

/** The folders that `in:` names; `starred` asks for the star. */
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

/** Where the words of a term are looked for. */
export type SearchColumn = 'sender' | 'recipients' | 'subject' | 'body' | 'files' | 'attached';

/** Words that must stand next to each other, in this order. */
export interface SearchTerm {
  words: string[];
  /** Null: anywhere. */
  column: SearchColumn | null;
  /** The last word may go on. */
  isPrefix: boolean;
  /** What has it is left out. */
  isExcluded: boolean;
  /** What has it need not have the term before. */
  isAlternative: boolean;
  /** Of what is left out: only what has the excluded term before it as well. */
  isJoined?: true;
}

/** A folder of the host, or one that the person made. */
export type NamedFolder = SearchedFolder | `own:${string}`;

/** What a person searches for. Each condition must hold. */
export interface SearchQuery {
  terms: SearchTerm[];
  folder?: NamedFolder;
  /** It is in none of these. */
  notInFolders?: NamedFolder[];
  /** Ids of labels, all of which it has. */
  labelIds?: string[];
  /** Ids of labels, none of which it has. */
  withoutLabelIds?: string[];
  /** Junk as well, which is left out unless it is named. */
  isAnywhere?: boolean;
  isUnread?: boolean;
  isStarred?: boolean;
  hasFiles?: boolean;
  /** When it came, in milliseconds since 1970: from this moment on. */
  from?: number;
  /** Before this moment. */
  until?: number;
  /** Bytes: larger than this. */
  larger?: number;
  /** Bytes: smaller than this. */
  smaller?: number;
}

/** How the person's clocks go. */
export interface SearchClock {
  /** The moment at which they show this, written as if they stood at UTC. */
  momentOf: (wallClock: number) => number;
  /** The moment of the question. */
  now: number;
}

/** What a person made, their ids by `folderNameKey`. */
export interface OwnNames {
  folders: ReadonlyMap<string, string>;
  labels: ReadonlyMap<string, string>;
  /** Their addresses, which `me` stands for. */
  addresses?: readonly string[];
}

const noNames: OwnNames = { folders: new Map(), labels: new Map() };

/** Addresses of one person that `me` stands for, beside what else is asked for. */
const mostAddresses = 12;

/** More terms than a person types; each costs the index a look. */
const mostTerms = 12;
/**
 * Words of all terms together. Each word of a phrase costs a look at every place of the words
 * before it; what is left out of a longer phrase makes it find little more.
 */
const mostWords = 24;
/**
 * A word that may go on costs the index a look at each word that begins so. Shorter ones begin too
 * many, unless they end with `*`, and more of them at once take too long.
 */
const shortestPrefix = 4;
const shortestStarred = 2;
const mostPrefixes = 4;

// No object: a person may type `constructor:`, which each object has
const columns: ReadonlyMap<string, SearchColumn> = new Map([
  ['from', 'sender'],
  ['to', 'recipients'],
  ['cc', 'recipients'],
  ['bcc', 'recipients'],
  ['subject', 'subject'],
  ['filename', 'files'],
  // As in Outlook
  ['attachment', 'files'],
  ['attachments', 'files'],
]);

/** Kinds of files that `has:` names, by the endings of their names. */
const fileKinds: ReadonlyMap<string, readonly string[]> = new Map([
  ['pdf', ['pdf']],
  ['zip', ['zip']],
  ['image', ['jpg', 'jpeg', 'png', 'gif', 'heic', 'webp']],
  ['document', ['doc', 'docx', 'odt', 'pdf']],
  ['spreadsheet', ['xls', 'xlsx', 'ods', 'csv']],
  ['presentation', ['ppt', 'pptx', 'odp']],
]);

/** Quotes of other keyboards; a phone puts them in the place of the plain ones. */
const otherQuotes = /[“”„‟«»]/g;

/**
 * Reads a question as a person types it: words, `"phrases"`, `-without`, `NOT without`, `one OR
 * other`, `{one other}`, `from:` `to:` `subject:` `filename:` `has:attachment` `in:` `label:` `is:`
 * `before:` `after:` `older_than:` `newer_than:` `larger:` `smaller:`. Words of four letters
 * outside of quotes find longer ones too, and shorter words with a `*` at their end. What looks
 * like an operator and is none is searched as words, so no text is an error.
 * @param clock for the days of `before:` and `after:`; unless given, the one of UTC
 * @param own what `in:` may name beside the folders of the host, what `label:` names, and who `me`
 *   is
 */
export function parseSearch(
  text: string,
  clock: SearchClock = { momentOf: (wallClock) => wallClock, now: Date.now() },
  own: OwnNames = noNames,
): SearchQuery {
  const query: SearchQuery = { terms: [] };
  const room: Room = { terms: mostTerms, words: mostWords, prefixes: mostPrefixes };
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
    if (choices) return addChoices(query.terms, { ...part, ...choices });
    const words = operator !== '' && column === null ? whole.replace(/^-/, '') : value;
    addTerm(query.terms, room, { ...part, text: words, isQuoted: quoted !== undefined });
  });
  return query;
}

/**
 * Whether a piece is this word between two others, which it joins. At an end of the question it is
 * a word like any other.
 */
function isJoining(pieces: readonly Piece[], index: number, word: 'AND' | 'OR'): boolean {
  return pieces[index]?.found[0] === word && index > 0 && index < pieces.length - 1;
}

/** Whether a piece is `NOT`, which leaves out what the next one names. At the end it is a word. */
function isNot(pieces: readonly Piece[], index: number): boolean {
  return pieces[index]?.found[0] === 'NOT' && index < pieces.length - 1;
}

/** The texts that one piece stands for, and where they are looked for. */
interface Choices {
  texts: readonly string[];
  column: SearchColumn;
}

/** The addresses of `from:me`, and the endings of `has:pdf`; null for any other piece. */
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

/** One of these texts is enough. */
function addChoices(terms: SearchTerm[], { texts, ...part }: Choices & Omit<SearchTerm, 'words' | 'isPrefix'>): void {
  for (const [index, text] of texts.entries()) {
    const isAlternative = !part.isExcluded && (index > 0 || part.isAlternative);
    terms.push({ ...part, words: askedWords(text).words, isPrefix: false, isAlternative });
  }
}

/** What a question may still ask for. */
interface Room {
  terms: number;
  words: number;
  prefixes: number;
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
  // One letter of a script without spaces begins the pairs it stands in
  const isLong = last.length >= (text.endsWith('*') ? shortestStarred : shortestPrefix);
  const mayGoOn = isUnspaced ? Array.from(last).length === 1 : !isQuoted && isLong;
  const isPrefix = mayGoOn && room.prefixes > 0;
  terms.push({ ...part, words, isPrefix });
  room.terms -= 1;
  room.words -= words.length;
  if (isPrefix) room.prefixes -= 1;
}

/** An operator with what stands after it. */
interface Condition {
  name: string;
  value: string;
  /** What has it is left out. */
  isExcluded: boolean;
}

/** Takes an operator that names no words; false when it is none of them. */
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

/** Takes the name of a folder or a label of the person's own; false when it is none of them. */
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

/** Which end of the time a day is, and whether it is told by how long ago it was. */
const timeOperators: Record<string, { end: 'from' | 'until'; other: 'from' | 'until'; isAgo: boolean }> = {
  before: { end: 'until', other: 'from', isAgo: false },
  after: { end: 'from', other: 'until', isAgo: false },
  older: { end: 'until', other: 'from', isAgo: false },
  newer: { end: 'from', other: 'until', isAgo: false },
  older_than: { end: 'until', other: 'from', isAgo: true },
  newer_than: { end: 'from', other: 'until', isAgo: true },
};

/** Takes a day, a span of time or a size; false when it is none. */
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
  // What is not larger has these bytes at most
  else if (name === 'larger') query.smaller = bytes + 1;
  else query.larger = bytes - 1;
  return true;
}

/**
 * The beginning of `2026-11-23`, `2026/11/23`, `23.11.2026`, `2026-11` or `2026`, where the person
 * is.
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

/** The moment before which `7d`, `2w`, `3m` or `1y` have passed until now. */
function spanBefore(text: string, now: number): number | null {
  const match = /^(\d{1,4})([dwmy])$/i.exec(text);
  if (!match) return null;
  const [count, unit] = [Number(match[1]), match[2]?.toLowerCase()];
  if (unit === 'd' || unit === 'w') return now - count * (unit === 'd' ? 1 : 7) * 86_400_000;
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

/** `5M`, `300kb`, `1.5mb` or a number of bytes. */
function bytesOf(text: string): number | null {
  const match = /^(\d{1,12}(?:\.\d{1,3})?)([a-z]{0,2})$/.exec(text);
  const unit = units[match?.[2] ?? 'none'];
  return match && unit !== undefined ? Math.round(Number(match[1]) * unit) : null;
}
