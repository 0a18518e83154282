import type { DatabaseSync } from 'node:sqlite';
import type { FilesBudget, FilesTurn } from './index-messages.ts';

/*
 * The files that an index has not read yet, by the places of their entries:
 *
 *   entry comes in -> unread -- taken, the try is counted --> being read -- noted --> no row
 *                       ^                                         |
 *                       +-- the process or its thread died -------+   three times at most
 *                       +-- the host could not read: returned ----+   the try does not count
 *
 * The rows are in the index itself, so whatever process opens it goes on where another one ended. A
 * file that was too costly is noted as well: it is found by its name alone, and not tried again.
 */

/** `files_spent` is not dropped when an index is emptied, so that its time limit stays in force. */
export const unreadFilesSchema = `
  CREATE TABLE unread_files (
    place INTEGER PRIMARY KEY, tries INTEGER NOT NULL, due INTEGER NOT NULL
  );
  CREATE TABLE IF NOT EXISTS files_spent (minute INTEGER NOT NULL, ms INTEGER NOT NULL);
`;

const minuteMs = 60_000;
const mostTries = 3;
/** An attempt without a result after this time was interrupted. */
const tryMs = 2 * minuteMs;

/**
 * Chooses the newest entry with unread files, unless the mailbox has used up its share of the
 * minute.
 */
export function takeUnread(db: DatabaseSync, { now, msPerMinute }: FilesBudget): FilesTurn {
  const minute = Math.floor(now / minuteMs);
  if (spentIn(db, minute) >= msPerMinute) return { kind: 'later', at: (minute + 1) * minuteMs };
  for (;;) {
    const next = db
      .prepare('SELECT place, tries FROM unread_files WHERE due <= ? ORDER BY place DESC LIMIT 1')
      .get(now) as { place: number; tries: number } | undefined;
    if (next === undefined) return afterAll(db);
    const entry = db.prepare('SELECT id FROM entries WHERE place = ?').get(next.place) as { id: number } | undefined;
    if (entry && next.tries < mostTries) {
      db.prepare('UPDATE unread_files SET tries = tries + 1, due = ? WHERE place = ?').run(now + tryMs, next.place);
      return { kind: 'entry', id: String(entry.id) };
    }
    db.prepare('DELETE FROM unread_files WHERE place = ?').run(next.place);
    if (entry) return { kind: 'given_up', id: String(entry.id) };
  }
}

/** Takes back a try that failed for another reason than the files. The next one is in a minute. */
export function returnUnread(db: DatabaseSync, place: number, now: number): void {
  db.prepare('UPDATE unread_files SET tries = tries - 1, due = ? WHERE place = ?').run(now + minuteMs, place);
}

/** The remaining files are being read, or wait for their next attempt. */
function afterAll(db: DatabaseSync): FilesTurn {
  const { at } = db.prepare('SELECT min(due) AS at FROM unread_files').get() as { at: number | null };
  return at === null ? { kind: 'none' } : { kind: 'later', at };
}

/** Adds the time that files have taken to what the mailbox has used of the minute. */
export function noteSpent(db: DatabaseSync, { spentMs, now }: { spentMs: number; now: number }): void {
  const minute = Math.floor(now / minuteMs);
  const ms = spentIn(db, minute) + Math.round(spentMs);
  db.exec('DELETE FROM files_spent');
  db.prepare('INSERT INTO files_spent (minute, ms) VALUES (?, ?)').run(minute, ms);
}

function spentIn(db: DatabaseSync, minute: number): number {
  const row = db.prepare('SELECT ms FROM files_spent WHERE minute = ?').get(minute) as { ms: number } | undefined;
  return row?.ms ?? 0;
}
