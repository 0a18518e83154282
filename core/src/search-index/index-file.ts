import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type {
  EntryFacts,
  EntryTexts,
  FilesBudget,
  FilesRead,
  FilesReturned,
  FilesTurn,
  Hits,
  HitsWanted,
  IndexChange,
  IndexState,
  NewEntry,
} from './index-messages.ts';
import { hitConditions, rowsPerSecond } from './hit-conditions.ts';
import type { SearchColumn } from './search-query.ts';
import { noteSpent, returnUnread, takeUnread, unreadFilesSchema } from './unread-files.ts';
import { indexedWords } from './words.ts';

/*
 * The search index of one mailbox: an SQLite file with a full-text table (FTS5), which stores words
 * and no text. Row numbers follow the time of arrival, so the newest hits are found first and a
 * common word costs no more than a rare one. The file is derived from the database: one that is
 * lost, damaged or of another version is built again.
 */

/** Incremented when the stored data changes, or the way in which text becomes words. */
const version = 3;
const waitMs = 5000;

/** The longest texts in characters: words beyond these limits are not found. */
const longest = {
  sender: 1000,
  recipients: 50_000,
  subject: 1000,
  body: 300_000,
  files: 20_000,
  attached: 300_000,
} as const;

/** The columns of the full-text table, in their order. */
const textColumns = ['sender', 'recipients', 'subject', 'body', 'files', 'attached'] as const satisfies SearchColumn[];

const schema = `
  CREATE TABLE state (stamp INTEGER NOT NULL, entries INTEGER NOT NULL, told TEXT NOT NULL);
  CREATE TABLE entries (
    place INTEGER PRIMARY KEY, id INTEGER NOT NULL, folder INTEGER NOT NULL, uid INTEGER NOT NULL,
    unread INTEGER NOT NULL, starred INTEGER NOT NULL, files INTEGER NOT NULL, size INTEGER NOT NULL
  );
  CREATE UNIQUE INDEX entries_id ON entries (id);
  CREATE INDEX entries_uid ON entries (folder, uid);
  CREATE INDEX entries_starred ON entries (place) WHERE starred = 1;
  CREATE INDEX entries_files ON entries (place) WHERE files > 0;
  CREATE VIRTUAL TABLE words USING fts5 (
    ${textColumns.join(', ')}, content = '', contentless_delete = 1, tokenize = "ascii"
  );
  INSERT INTO state VALUES (0, 0, '{"folders":[],"next":null,"isBuilt":false}');
  ${unreadFilesSchema}
  PRAGMA user_version = ${version};
`;

type Told = Pick<IndexState, 'folders' | 'next' | 'isBuilt'>;

interface StateRow {
  stamp: number;
  entries: number;
  told: string;
}

/** An open index file. All calls are synchronous, so it must be used in a thread. */
export class IndexFile {
  readonly path: string;
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  /** Full seconds, each with a later second from which to search for a free place. */
  readonly #behindFull = new Map<number, number>();

  /** Opens the index, or creates an empty one. */
  constructor(path: string) {
    this.path = path;
    this.#db = open(path);
  }

  state(): IndexState {
    const { stamp, entries, told } = this.#get('SELECT stamp, entries, told FROM state') as StateRow;
    const hasUnreadFiles = this.#get('SELECT 1 FROM unread_files LIMIT 1') !== undefined;
    return { stamp, entries, hasUnreadFiles, ...(JSON.parse(told) as Told) };
  }

  known(ids: readonly string[]): string[] {
    return ids.filter((id) => this.#get('SELECT 1 FROM entries WHERE id = ?', Number(id)) !== undefined);
  }

  /** Makes the change, unless another process has changed the index since its `stamp`. */
  change({ stamp, added, changed, removed, removedFolder, next }: IndexChange): IndexState | null {
    try {
      const isMade = this.#whole(() => {
        if ((this.#get('SELECT stamp FROM state') as StateRow).stamp !== stamp) return false;
        for (const facts of changed) this.#update(facts);
        // In the order of the row numbers: otherwise FTS5 would write its words to disk after each
        // row
        for (const entry of added.toSorted(byArrival)) this.#add(entry);
        for (const { folderId, uid } of removed) this.#remove(folderId, uid);
        if (removedFolder !== undefined) this.#removeAllOf(removedFolder);
        this.#run('UPDATE state SET stamp = stamp + 1, told = ?', JSON.stringify(next));
        return true;
      });
      return isMade ? this.state() : null;
    } catch (error) {
      this.#behindFull.clear();
      throw error;
    }
  }

  /** The hits of a search, the newest first. */
  find({ offset, limit, countUpTo, ...wanted }: HitsWanted): Hits {
    const { from, where, values, place } = hitConditions(wanted);
    // One query for the page and the count: a costly search must not run twice
    const rows = this.#all(
      `SELECT e.id AS id FROM ${from} WHERE ${where} ORDER BY ${place} DESC LIMIT ?`,
      ...values,
      countUpTo,
    ) as { id: number }[];
    return { ids: rows.slice(offset, offset + limit).map(({ id }) => String(id)), count: rows.length };
  }

  /** Chooses the entry whose files are read next, and counts the attempt before it is made. */
  takeFiles(budget: FilesBudget): FilesTurn {
    return this.#whole(() => takeUnread(this.#db, budget));
  }

  /** Takes back an attempt that failed for another reason than the files. */
  returnFiles({ id, now }: FilesReturned): void {
    const place = this.#placeOf(Number(id));
    if (place !== undefined) returnUnread(this.#db, place, now);
  }

  /** Puts the words of an entry's files into the index, unless the entry has left it meanwhile. */
  noteFiles({ id, texts, spentMs, now }: FilesRead): void {
    this.#whole(() => {
      noteSpent(this.#db, { spentMs, now });
      const place = this.#placeOf(Number(id));
      if (place === undefined) return;
      this.#run('DELETE FROM unread_files WHERE place = ?', place);
      if (texts === null) return;
      // The table stores no text, so a row can only be replaced as a whole
      this.#run('DELETE FROM words WHERE rowid = ?', place);
      this.#addWords(place, texts);
    });
  }

  /** Empties the index, so that it can be built again. */
  clear(): void {
    this.#behindFull.clear();
    this.#statements.clear();
    this.#whole(() => {
      const { stamp } = this.#get('SELECT stamp FROM state') as StateRow;
      this.#statements.clear();
      this.#db.exec(`DROP TABLE words; DROP TABLE entries; DROP TABLE state; DROP TABLE unread_files; ${schema}`);
      // A change that started before this must not be applied to the new index
      this.#run('UPDATE state SET stamp = ?', stamp + 1);
    });
    this.#db.exec('VACUUM');
  }

  close(): void {
    this.#statements.clear();
    this.#db.close();
  }

  #removeAllOf(folderId: string): void {
    const rows = this.#all('SELECT uid FROM entries WHERE folder = ?', Number(folderId)) as { uid: number }[];
    for (const { uid } of rows) this.#remove(folderId, uid);
  }

  #add(entry: NewEntry): void {
    this.#removeId(Number(entry.id));
    const place = this.#freePlace(entry.arrivedAt);
    this.#run(
      'INSERT INTO entries (place, id, folder, uid, unread, starred, files, size) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      place,
      Number(entry.id),
      Number(entry.folderId),
      entry.uid,
      Number(entry.isUnread),
      Number(entry.isStarred),
      entry.fileCount,
      entry.size,
    );
    this.#addWords(place, { ...entry, attached: '' });
    if (entry.hasUnreadFiles) this.#run('INSERT OR REPLACE INTO unread_files VALUES (?, 0, 0)', place);
    this.#run('UPDATE state SET entries = entries + 1');
  }

  #addWords(place: number, texts: EntryTexts): void {
    const words = textColumns.map((name) => indexedWords(texts[name], longest[name]));
    const places = textColumns.map(() => '?').join(', ');
    this.#run(`INSERT INTO words (rowid, ${textColumns.join(', ')}) VALUES (?, ${places})`, place, ...words);
  }

  /**
   * A free place that follows the time of arrival: after the entries that came just before it, else
   * anywhere in that second, else in the next second that is not full. The cost stays the same even
   * if a hundred thousand messages have come at the same moment.
   */
  #freePlace(arrivedAt: number): number {
    const arrivedIn = Math.floor(arrivedAt / 1000);
    if (!this.#behindFull.has(arrivedIn)) {
      const free = this.#freeIn(arrivedIn, Math.floor((arrivedAt * rowsPerSecond) / 1000));
      if (free !== null) return free;
    }
    const passed: number[] = [];
    for (let second = arrivedIn; ; ) {
      const behind = this.#behindFull.get(second);
      const free = behind === undefined ? this.#freeIn(second) : null;
      if (free !== null) {
        for (const full of passed) this.#behindFull.set(full, second);
        return free;
      }
      passed.push(second);
      second = behind ?? second + 1;
    }
  }

  /** The first free place in a second, from `first` on; null when none is free there. */
  #freeIn(second: number, first = second * rowsPerSecond): number | null {
    const end = (second + 1) * rowsPerSecond;
    const range = 'SELECT place FROM entries WHERE place >= ? AND place < ? ORDER BY place';
    const taken = this.#all(range, first, end) as { place: number }[];
    const gap = taken.findIndex(({ place }, index) => place !== first + index);
    const free = first + (gap < 0 ? taken.length : gap);
    return free < end ? free : null;
  }

  #update({ id, folderId, uid, isUnread, isStarred }: EntryFacts): void {
    this.#run(
      'UPDATE entries SET folder = ?, uid = ?, unread = ?, starred = ? WHERE id = ?',
      Number(folderId),
      uid,
      Number(isUnread),
      Number(isStarred),
      Number(id),
    );
  }

  #remove(folderId: string, uid: number): void {
    const rows = this.#all('SELECT id FROM entries WHERE folder = ? AND uid = ?', Number(folderId), uid);
    for (const { id } of rows as { id: number }[]) this.#removeId(id);
  }

  #removeId(id: number): void {
    const place = this.#placeOf(id);
    if (place === undefined) return;
    this.#run('DELETE FROM words WHERE rowid = ?', place);
    this.#run('DELETE FROM entries WHERE place = ?', place);
    this.#run('DELETE FROM unread_files WHERE place = ?', place);
    this.#run('UPDATE state SET entries = entries - 1');
  }

  #placeOf(id: number): number | undefined {
    return (this.#get('SELECT place FROM entries WHERE id = ?', id) as { place: number } | undefined)?.place;
  }

  /** Does work in a transaction. */
  #whole<T>(work: () => T): T {
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.#db.exec('COMMIT');
      return result;
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  #get(sql: string, ...values: SQLInputValue[]): unknown {
    return this.#statement(sql).get(...values);
  }

  #all(sql: string, ...values: SQLInputValue[]): unknown[] {
    return this.#statement(sql).all(...values);
  }

  #run(sql: string, ...values: SQLInputValue[]): void {
    this.#statement(sql).run(...values);
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) return known;
    const prepared = this.#db.prepare(sql);
    // The number of different searches is unlimited, but the number of statements for changes is
    // small
    if (this.#statements.size < 40) this.#statements.set(sql, prepared);
    return prepared;
  }
}

function open(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: waitMs });
  try {
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -8192');
    begin(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Creates the tables of a new file. Two processes may open it at the same moment. */
function begin(db: DatabaseSync): void {
  const versionOf = () => (db.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
  if (versionOf() === version) return;
  db.exec('BEGIN IMMEDIATE');
  try {
    const found = versionOf();
    if (found === 0) db.exec(schema);
    else if (found !== version) throw new OtherVersion();
    db.exec('COMMIT');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/** The index was written by another version of the host. */
export class OtherVersion extends Error {}

/**
 * Orders entries by arrival. If two came in the same millisecond, the one stored first has the
 * smaller id.
 */
function byArrival(one: NewEntry, other: NewEntry): number {
  return one.arrivedAt - other.arrivedAt || Number(one.id) - Number(other.id);
}
