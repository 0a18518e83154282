import { escape } from 'mysql2';
import type { Ctx } from '../context/context.ts';
import { sqlMoment } from '../database/insert-rows.ts';
import { readRows } from '../database/run-sql.ts';
import { notFound } from '../errors.ts';
import type { EntryFolder, MailboxEntry } from '../models/mailbox-entry.ts';
import { changeStatus, passesOverSent, type StatusChange, type StatusOfEntries } from './change-status.ts';
import { deleteEntries } from './delete-entries.ts';

/** Entries that one transaction changes. */
const batch = 500;
/** Entries that one call changes at most: a request must not hold a connection for minutes. */
const mostOfCall = 5000;
/** Conversations that one statement looks into. */
const threadsOfLook = 20;

interface Named {
  id: string;
  folder: EntryFolder;
  folderId: string;
  threadKey: string;
  arrivedAt: Date;
}

/**
 * Sets flags on whole conversations of one person. Each named entry stands for its conversation in
 * its folder, up to this entry: what has come since it was shown stays as it is. Entries are
 * changed in batches from the oldest on. Each call names the same ones, so that only the last call
 * changes these.
 * @returns the ids of the entries that had other values before, with which the change can be taken
 *   back; `isLeft` when there are more than one call changes
 * @throws AppError as `changeStatus` does
 */
export async function changeThreadStatus(
  ctx: Ctx,
  { userId, entryIds, flags, from }: StatusOfEntries,
): Promise<{ touched: string[]; isLeft: boolean }> {
  const look = { userId, entryIds, from, condition: differing(flags) };
  const { found, folderIds, isLeft } = await entriesOfThreads(ctx, look);
  const touched: string[] = [];
  for (const ids of batchesOf(found)) {
    if (flags.deleteStatus) {
      // What another window restores at this moment is in a folder that the person does not empty
      const isMeant = ({ folderId }: MailboxEntry) => folderIds.has(String(folderId));
      touched.push(...(await deleteEntries(ctx, { userId, entryIds: ids, isMeant })));
    } else {
      await changeStatus(ctx, { userId, entryIds: ids, flags });
      touched.push(...ids);
    }
  }
  return { touched, isLeft };
}

/** The entries that one transaction changes, one transaction after the other. */
export function batchesOf(ids: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / batch) }, (_, index) =>
    ids.slice(index * batch, (index + 1) * batch),
  );
}

interface ThreadsLook {
  userId: string;
  entryIds: readonly string[];
  /** The folder that the named ones were seen in; those that are elsewhere by now are left out. */
  from?: EntryFolder | undefined;
  /** In SQL, about a row of `mailbox_entries`. */
  condition: string;
}

/**
 * The entries of conversations that meet a condition, oldest first. Each named entry stands for its
 * conversation in its folder, up to this entry.
 * @returns as many as one call changes; `isLeft` when there are more, and then none of the named
 *   ones is among them; the folders of the named ones
 * @throws AppError notFound when one of the ids is not an entry of this person, or is deleted
 */
export async function entriesOfThreads(
  ctx: Ctx,
  { userId, entryIds, from, condition }: ThreadsLook,
): Promise<{ found: string[]; folderIds: Set<string>; isLeft: boolean }> {
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
  if (all.length <= mostOfCall) return { found: all, folderIds, isLeft: false };
  // The next call names the same ones, and finds none that is deleted
  const others = all.filter((id) => !ids.has(id));
  return { found: others.slice(0, mostOfCall), folderIds, isLeft: true };
}

/** As many entries as are wanted, and one more where there are more, oldest first. */
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

/** Of the named ones of a conversation in a folder, the newest stands for the others as well. */
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
  return passesOverSent(flags) ? `send_status = 0 AND (${differs})` : differs;
}
