import { escape, type ResultSetHeader } from 'mysql2';
import type { TxCtx } from '../context/context.ts';
import { sqlMoment } from '../database/insert-rows.ts';
import { changeRows, readRows } from '../database/run-sql.ts';
import { runStatement } from '../database/run-statement.ts';

/*
 * The conversations of a folder, stored in `folder_threads` and updated together with its totals.
 *
 *   entries come, go or change -> their folders are locked by changeFolders -> the entries are
 *   written -> changeThreads adds the differences to the rows of their conversations
 *
 * A conversation that has no entry left in the folder has no row. The lock on the folder serialises
 * all changes to its rows. No step reads a whole conversation: when the newest entry leaves, the
 * index gives the one before it.
 */

/** How one entry changes the counts of its conversation in one folder. */
export interface ThreadStep {
  folderId: string;
  threadKey: string;
  entryId: string;
  arrivedAt: Date;
  /** 1 when the entry comes into the folder, -1 when it leaves, 0 when its flags change there. */
  total: -1 | 0 | 1;
  unread: number;
  starred: number;
}

/** The sum of all steps for one conversation of one folder. */
interface ThreadChange {
  folderId: string;
  threadKey: string;
  total: number;
  unread: number;
  starred: number;
  /** The newest of the entries that come in. */
  newest: { id: string; at: Date } | null;
  leaving: string[];
}

/**
 * Updates the conversations of folders after changes of entries. The caller has changed the folders
 * by `changeFolders`, which holds them locked, and has written the entries.
 */
export async function changeThreads(ctx: TxCtx, steps: readonly ThreadStep[]): Promise<void> {
  const changes = mergeSteps(steps);
  if (changes.length === 0) return;
  const counts = await createdThreads(ctx, changes, await addUp(ctx, changes));
  for (const [folderId, left] of Map.groupBy(
    changes.filter(({ leaving }) => leaving.length > 0),
    (change) => change.folderId,
  )) {
    const removed = await settleLeft(ctx, folderId, left);
    counts.set(folderId, (counts.get(folderId) ?? 0) - removed);
  }
  await changeThreadCounts(ctx, counts);
}

function mergeSteps(steps: readonly ThreadStep[]): ThreadChange[] {
  const merged = new Map<string, ThreadChange>();
  for (const { folderId, threadKey, entryId, arrivedAt, total, unread, starred } of steps) {
    const name = `${folderId} ${threadKey}`;
    const sum = merged.get(name) ?? { folderId, threadKey, total: 0, unread: 0, starred: 0, newest: null, leaving: [] };
    merged.set(name, sum);
    sum.total += total;
    sum.unread += unread;
    sum.starred += starred;
    if (total < 0) sum.leaving.push(entryId);
    if (total > 0 && isNewer({ id: entryId, at: arrivedAt }, sum.newest)) sum.newest = { id: entryId, at: arrivedAt };
  }
  return [...merged.values()].filter(
    ({ total, unread, starred, leaving }) => total !== 0 || unread !== 0 || starred !== 0 || leaving.length > 0,
  );
}

function isNewer(one: { id: string; at: Date }, other: { id: string; at: Date } | null): boolean {
  if (other === null) return true;
  const later = one.at.getTime() - other.at.getTime();
  return later > 0 || (later === 0 && BigInt(one.id) > BigInt(other.id));
}

/** Marks that no entry comes in: every entry is newer than this. */
const never = "'1000-01-01'";

/**
 * @returns how many of the conversations had no row before, or more: a row that stays as it was
 *   counts as two new ones
 */
async function addUp(ctx: TxCtx, changes: readonly ThreadChange[]): Promise<number> {
  const tuples = changes.map(({ folderId, threadKey, newest, total, unread, starred }) => {
    const at = newest === null ? never : escape(sqlMoment(newest.at));
    return `(${escape(folderId)}, ${escape(threadKey)}, ${escape(newest?.id ?? 0)}, ${at}, ${total}, ${unread}, ${starred})`;
  });
  // `newest_id` is set before `newest_at`, since MariaDB assigns from left to right
  const { affectedRows } = await runStatement<ResultSetHeader>(
    ctx,
    `INSERT INTO folder_threads (folder_id, thread_key, newest_id, newest_at, total, unread, starred)
     VALUES ${tuples.join(', ')}
     ON DUPLICATE KEY UPDATE
       newest_id = IF((VALUES(newest_at), VALUES(newest_id)) > (newest_at, newest_id), VALUES(newest_id), newest_id),
       newest_at = GREATEST(newest_at, VALUES(newest_at)),
       total = total + VALUES(total), unread = unread + VALUES(unread), starred = starred + VALUES(starred)`,
  );
  // MariaDB counts a new row once, a changed row twice, and a row that stays as it was not at all
  return 2 * changes.length - affectedRows;
}

/**
 * How many conversations each folder has gained, given that at most `created` of the changed ones
 * are new.
 */
async function createdThreads(
  ctx: TxCtx,
  changes: readonly ThreadChange[],
  created: number,
): Promise<Map<string, number>> {
  // The row of a conversation that gains no entry is not new, and may be as it was
  const gaining = changes.filter(({ total }) => total > 0);
  if (created <= 0 || gaining.length === 0) return new Map();
  const areAllNew = gaining.length === changes.length && created >= changes.length;
  const fresh = areAllNew ? gaining : await freshThreads(ctx, gaining);
  return new Map([...Map.groupBy(fresh, ({ folderId }) => folderId)].map(([id, { length }]) => [id, length]));
}

/** The new conversations: the total of a new row equals what was just added to it. */
async function freshThreads(ctx: TxCtx, changes: readonly ThreadChange[]): Promise<ThreadChange[]> {
  const byFolder = Map.groupBy(changes, ({ folderId }) => folderId);
  const places = [...byFolder].map(
    ([folderId, own]) =>
      `(folder_id = ${escape(folderId)} AND thread_key IN (${own.map(({ threadKey }) => escape(threadKey)).join(', ')}))`,
  );
  const rows = await readRows<{ folderId: string; threadKey: string; total: number }>(
    ctx,
    `SELECT folder_id AS folderId, thread_key AS threadKey, total FROM folder_threads WHERE ${places.join(' OR ')}`,
    [],
  );
  const totals = new Map(rows.map(({ folderId, threadKey, total }) => [`${folderId} ${threadKey}`, Number(total)]));
  return changes.filter(({ folderId, threadKey, total }) => totals.get(`${folderId} ${threadKey}`) === total);
}

/**
 * Removes the conversations of a folder that have no entry left, and finds the newest entry of
 * conversations whose newest entry has left.
 * @returns how many were removed
 */
async function settleLeft(ctx: TxCtx, folderId: string, changes: readonly ThreadChange[]): Promise<number> {
  const keys = changes.map(({ threadKey }) => threadKey);
  const removed = await changeRows(
    ctx,
    'DELETE FROM folder_threads WHERE folder_id = ? AND thread_key IN (?) AND total <= 0',
    [folderId, keys],
  );
  if (removed === keys.length) return removed;
  await changeRows(
    ctx,
    `UPDATE folder_threads t
        SET newest_id = COALESCE((SELECT e.id FROM mailbox_entries e FORCE INDEX (entries_conversation)
                                   WHERE e.folder_id = t.folder_id AND e.thread_key = t.thread_key
                                   ORDER BY e.arrived_at DESC, e.id DESC LIMIT 1), newest_id),
            newest_at = COALESCE((SELECT e.arrived_at FROM mailbox_entries e WHERE e.id = newest_id), newest_at)
      WHERE t.folder_id = ? AND t.thread_key IN (?) AND t.newest_id IN (?)`,
    [folderId, keys, changes.flatMap(({ leaving }) => leaving)],
  );
  return removed;
}

async function changeThreadCounts(ctx: TxCtx, counts: ReadonlyMap<string, number>): Promise<void> {
  const byNumber = Map.groupBy(
    [...counts].filter(([, number]) => number !== 0),
    ([, number]) => number,
  );
  for (const [number, folders] of byNumber) {
    await changeRows(ctx, 'UPDATE folders SET threads = GREATEST(CAST(threads AS SIGNED) + ?, 0) WHERE id IN (?)', [
      number,
      folders.map(([id]) => id),
    ]);
  }
}
