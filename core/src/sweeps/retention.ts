import { dayMs } from '../utc-day.ts';
import { restAfter } from './rest.ts';
import { changeRows, readRows } from '../database/run-sql.ts';
import type { DatabaseTarget } from '../database/run-statement.ts';

/*
 * Rows that tell of the past are deleted when they are old. Each table is walked by its primary
 * key, from the oldest row to the first one that is too young, a thousand rows a statement. No row
 * ends before it is created, and ids follow the time of creation, so nothing after that is old.
 *
 * The clock of a machine can be wrong by years. So age counts from the newest row of all these
 * tables, if that is before the clock: a clock that jumps ahead makes nothing old by itself. And
 * one pass deletes at most the oldest week, so that even a host that goes on writing with a wrong
 * clock loses a week a day, and its operator has time.
 */

/**
 * The tables whose old rows are deleted, each with an SQL expression for the end of a row. It is
 * NULL while the row has not ended.
 */
const ends = {
  deliveries: "IF(state IN ('held', 'queued'), NULL, updated_at)",
  audit_events: 'created_at',
  domain_changes: 'created_at',
  sessions: 'LEAST(expires_at, COALESCE(ended_at, expires_at))',
  one_time_links: 'LEAST(expires_at, COALESCE(used_at, expires_at))',
  vacation_replies: 'COALESCE(replied_at, created_at)',
} as const;

/** A table whose old rows are deleted. */
export type KeptTable = keyof typeof ends;
export const keptTables = Object.keys(ends) as KeptTable[];

/** Options of a deletion. */
export interface Retention {
  /** How many days a row is kept after its end; 0 keeps it for ever. */
  days: number;
  now?: Date;
  signal?: AbortSignal;
}

const rowsOfStatement = 1000;
const mostOfPassMs = 7 * dayMs;

interface Row {
  id: string;
  createdAt: Date;
  endedAt: Date | null;
}

/** Deletes the old rows of a table, those of the oldest week at most; answers how many. */
export async function deleteOldRows(
  target: DatabaseTarget,
  table: KeptTable,
  { days, now = new Date(), signal }: Retention,
): Promise<number> {
  const cutoff = await cutoffOf(target, { days, now });
  if (cutoff === null) return 0;
  let [deleted, after] = [0, '0'];
  let limit = cutoff;
  for (let isFirst = true; ; ) {
    const startedAt = performance.now();
    const rows = await readPage(target, table, after);
    const ended = rows.filter(({ endedAt }) => endedAt !== null && endedAt < cutoff);
    if (isFirst && ended[0]) {
      isFirst = false;
      limit = new Date(Math.min(cutoff.getTime(), ended[0].createdAt.getTime() + mostOfPassMs));
    }
    const old = ended.filter(({ createdAt }) => createdAt < limit).map(({ id }) => String(id));
    if (table === 'deliveries' && old.length > 0) await noteKept(target, limit);
    deleted += await deleteRows(target, table, old);
    const last = rows.at(-1);
    // Behind rows that a clock ahead of its time has written there may be old ones
    const isYoung = last !== undefined && last.createdAt >= limit && last.createdAt <= now;
    if (rows.length < rowsOfStatement || last === undefined || isYoung) return deleted;
    after = String(last.id);
    await restAfter(startedAt, signal);
  }
}

/**
 * The moment before which a row is old, by the clock or by the newest row, whichever is earlier;
 * null when nothing is.
 */
export async function cutoffOf(
  target: DatabaseTarget,
  { days, now = new Date() }: Pick<Retention, 'days' | 'now'>,
): Promise<Date | null> {
  const newest = await newestRow(target);
  if (days === 0 || newest === null) return null;
  return new Date(Math.min(now.getTime(), newest.getTime()) - days * dayMs);
}

async function newestRow(target: DatabaseTarget): Promise<Date | null> {
  const part = (table: string) => `(SELECT created_at AS createdAt FROM ${table} ORDER BY id DESC LIMIT 1)`;
  const rows = await readRows<{ createdAt: Date }>(target, keptTables.map(part).join(' UNION ALL '), []);
  return rows.reduce<Date | null>((newest, { createdAt }) => (newest && newest > createdAt ? newest : createdAt), null);
}

/** The index is named: MariaDB 11.8 would sort a table of some thousand rows instead. */
async function readPage(target: DatabaseTarget, table: KeptTable, after: string): Promise<Row[]> {
  return await readRows<Row>(
    target,
    `SELECT id, created_at AS createdAt, ${ends[table]} AS endedAt FROM ${table} FORCE INDEX (PRIMARY)
      WHERE id > ? ORDER BY id LIMIT ${rowsOfStatement}`,
    [after],
  );
}

/**
 * Notes since when the ledger is complete. It runs before the rows are deleted, so that the proof
 * of the ledger never takes one of them for lost.
 */
async function noteKept(target: DatabaseTarget, since: Date): Promise<void> {
  await changeRows(target, 'UPDATE ledger_kept SET since = GREATEST(COALESCE(since, ?), ?) WHERE id = 1', [
    since,
    since,
  ]);
}

async function deleteRows(target: DatabaseTarget, table: KeptTable, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  return await changeRows(target, `DELETE FROM ${table} WHERE id IN (?)`, [ids]);
}
