import { escape } from 'mysql2';
import type { Ctx } from '../context/context.ts';
import { sqlMoment } from '../database/insert-rows.ts';
import { readRows } from '../database/run-sql.ts';
import { notFound } from '../errors.ts';
import type { EntryFolder, MailboxEntry } from '../models/mailbox-entry.ts';
import { changeMeant, skipsSent, type StatusChange, type StatusOfEntries } from './change-status.ts';

/** Entries that one transaction changes. */
const batch = 500;
/** Entries that one call changes at most: a request must not hold a connection for minutes. */
const mostOfCall = 5000;
/** Conversations that one statement reads. */
const threadsOfLook = 20;

interface Named {
  id: string;
  folder: EntryFolder;
  folderId: string;
  threadKey: string;
  arrivedAt: Date;
}

/**
 * Sets flags on whole conversations of one person. Each id names the conversation of that entry in
 * its folder, up to this entry: messages that have come since then are not changed. Entries are
 * changed in batches from the oldest on. If entries are left, the caller repeats the call with the
 * same ids, so only the last call changes the named entries themselves.
 * @returns the ids of the entries that had other values before, with which the change can be taken
 *   back; `isLeft` when there are more than one call changes
 * @throws AppError as `changeStatus` does
 */
export async function changeThreadStatus(
  ctx: Ctx,
  { userId, entryIds, flags, from }: StatusOfEntries,
): Promise<{ touched: string[]; isLeft: boolean }> {
  const look = { userId, entryIds, from, condition: differing(flags) };
  const { found, isMeant, isLeft } = await entriesOfThreads(ctx, look);
  const touched: string[] = [];
  for (const ids of batchesOf(found)) {
    touched.push(...(await changeMeant(ctx, { userId, entryIds: ids, isMeant, flags })));
  }
  return { touched, isLeft };
}

/** Splits ids into batches, each for one transaction. */
export function batchesOf(ids: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / batch) }, (_, index) =>
    ids.slice(index * batch, (index + 1) * batch),
  );
}

interface ThreadsLook {
  userId: string;
  entryIds: readonly string[];
  /**
   * The folder in which the client saw the named entries; those that are elsewhere by now are left
   * out.
   */
  from?: EntryFolder | undefined;
  /** A condition in SQL on a row of `mailbox_entries`. */
  condition: string;
}

/**
 * The entries of conversations that meet a condition, oldest first. Each id names the conversation
 * of that entry in its folder, up to this entry.
 * @returns as many as one call changes; `isLeft` when there are more, and then none of the named
 *   entries is among them. `isMeant` says of an entry that is locked later whether it is still in
 *   one of these folders: another window may have moved, restored or deleted it meanwhile
 * @throws AppError notFound when one of the ids is not an entry of this person, or is deleted
 */
export async function entriesOfThreads(
  ctx: Ctx,
  { userId, entryIds, from, condition }: ThreadsLook,
): Promise<{ found: string[]; isMeant: (entry: MailboxEntry) => boolean; isLeft: boolean }> {
  const ids = new Set(entryIds);
  const known = await readRows<Named>(
    ctx,
    `SELECT id, folder, folder_id AS folderId, thread_key AS threadKey, arrived_at AS arrivedAt
       FROM mailbox_entries WHERE id IN (?) AND user_id = ? AND delete_status = 0 AND folder_id IS NOT NULL`,
    [[...ids], userId],
  );
  if (known.length < ids.size) throw notFound('message');
  const named = known.filter(({ folder }) => from === undefined || folder === from);
  const all = await lookIntoThreads(ctx, named, condition);
  const folderIds = new Set(named.map(({ folderId }) => String(folderId)));
  const isMeant = ({ folderId }: MailboxEntry) => folderIds.has(String(folderId));
  if (all.length <= mostOfCall) return { found: all, isMeant, isLeft: false };
  // The next call names the same entries, so none of them may be deleted before
  const others = all.filter((id) => !ids.has(id));
  return { found: others.slice(0, mostOfCall), isMeant, isLeft: true };
}

/** Up to `mostOfCall` entries, oldest first, and one more if there are more. */
async function lookIntoThreads(ctx: Ctx, named: readonly Named[], condition: string): Promise<string[]> {
  const newest = newestOfEach(named);
  const entries: { id: string; arrivedAt: Date }[][] = [];
  let missing = mostOfCall + 1;
  for (let at = 0; at < newest.length && missing > 0; at += threadsOfLook) {
    const looks = newest.slice(at, at + threadsOfLook).map(
      ({ id, folderId, threadKey, arrivedAt }) =>
        `(SELECT id, arrived_at AS arrivedAt FROM mailbox_entries FORCE INDEX (entries_conversation)
           WHERE folder_id = ${escape(folderId)} AND thread_key = ${escape(threadKey)}
             AND arrived_at <= ${escape(sqlMoment(arrivedAt))}
             AND (arrived_at < ${escape(sqlMoment(arrivedAt))} OR id <= ${escape(id)}) AND (${condition})
           ORDER BY arrived_at, id LIMIT ${missing})`,
    );
    const rows = await readRows<{ id: string; arrivedAt: Date }>(
      ctx,
      `SELECT id, arrivedAt FROM (${looks.join(' UNION ALL ')} LIMIT ${missing}) found`,
      [],
    );
    entries.push(rows);
    missing -= rows.length;
  }
  const inOrder = entries.flat().sort((one, other) => one.arrivedAt.getTime() - other.arrivedAt.getTime());
  return inOrder.map(({ id }) => String(id));
}

/** If several entries of a conversation in a folder are named, the newest one covers the others. */
function newestOfEach(named: readonly Named[]): Named[] {
  const byThread = Map.groupBy(named, ({ folderId, threadKey }) => `${folderId} ${threadKey}`);
  return [...byThread.values()].map((entries) => entries.reduce(laterOf));
}

function laterOf(one: Named, other: Named): Named {
  const ms = one.arrivedAt.getTime() - other.arrivedAt.getTime();
  if (ms === 0) return BigInt(one.id) > BigInt(other.id) ? one : other;
  return ms > 0 ? one : other;
}

const columns: Record<keyof StatusChange, string> = {
  readStatus: 'read_status',
  starStatus: 'star_status',
  archiveStatus: 'archive_status',
  trashStatus: 'trash_status',
  deleteStatus: 'delete_status',
  junkStatus: 'junk_status',
};

function differing(flags: StatusChange): string {
  const conditions = Object.entries(columns).flatMap(([name, column]) => {
    const value = flags[name as keyof StatusChange];
    return value === undefined ? [] : [`${column} <> ${value ? 1 : 0}`];
  });
  const differs = conditions.join(' OR ') || 'FALSE';
  return skipsSent(flags) ? `send_status = 0 AND (${differs})` : differs;
}
