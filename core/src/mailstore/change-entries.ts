import { escape } from 'mysql2';
import { literal } from 'sequelize';
import type { TxCtx } from '../context/context.ts';
import { changeRows, readRows } from '../database/run-sql.ts';
import { type EntryFolder, MailboxEntry } from '../models/mailbox-entry.ts';
import { type ChangedFolders, changeFolders, type FolderChange } from './change-folders.ts';
import { entryFlags, type EntryFlags, flagsOf, folderChanges, folderOf } from './folders.ts';

/** New values of an entry; what is left out stays as it is. */
export type EntryChange = Partial<EntryFlags> &
  Partial<Pick<MailboxEntry, 'answeredStatus' | 'forwardedStatus' | 'deliveryState' | 'undoUntil'>>;

/** Entries of one person, with the values that decide where they are. */
export interface ChangeableEntries {
  companyId: string;
  userId: string;
  entries: readonly (EntryFlags & { id: string })[];
  /** What else their folders change by, such as by the files of a draft. */
  beside?: readonly FolderChange[];
}

/** Entries that go the same way; most stay in their folder. */
interface Move {
  userId: string;
  ids: string[];
  from: EntryFolder;
  to: EntryFolder;
}

/**
 * Changes entries that the caller holds locked, the counts of their folders, and the numbers by
 * which a mail program follows a folder. An entry that thereby moves gets a UID in its new folder,
 * and its old UID is remembered as expunged. It locks the folders, so it is called late, as
 * `changeFolders` is.
 */
export async function changeEntries(
  ctx: TxCtx,
  { companyId, userId, entries, beside = [] }: ChangeableEntries,
  change: EntryChange,
): Promise<void> {
  const owner = { companyId: String(companyId), userId: String(userId) };
  const steps = entries.map((entry) => ({
    id: String(entry.id),
    before: flagsOf(entry),
    after: { ...flagsOf(entry), ...flagsIn(change) },
  }));
  const moving = steps.filter(({ before, after }) => folderOf(before) !== folderOf(after));
  const sizes = await sizesOf(
    ctx,
    moving.map(({ id }) => id),
  );
  const folders = await changeFolders(ctx, [
    ...steps.flatMap(({ id, before, after }) => folderChanges(owner, before, { after, size: sizes.get(id) ?? 0 })),
    ...beside,
  ]);
  const byWay = Map.groupBy(steps, ({ before, after }) => `${folderOf(before)} ${folderOf(after)}`);
  for (const [way, members] of byWay) {
    const [from, to] = way.split(' ') as [EntryFolder, EntryFolder];
    await writeMove(ctx, { userId: owner.userId, ids: members.map(({ id }) => id), from, to }, { folders, change });
  }
}

/** The bytes of the messages of entries. A message with an entry is never changed. */
async function sizesOf(ctx: TxCtx, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await readRows<{ id: string; size: number }>(
    ctx,
    'SELECT e.id, m.size FROM mailbox_entries e JOIN messages m ON m.id = e.message_id WHERE e.id IN (?)',
    [ids],
  );
  return new Map(rows.map(({ id, size }) => [String(id), Number(size)]));
}

async function writeMove(
  ctx: TxCtx,
  { userId, ids, from, to }: Move,
  { folders, change }: { folders: ChangedFolders; change: EntryChange },
): Promise<void> {
  if (from !== to && from !== 'gone') await noteExpunged(ctx, ids, folders.of(userId, from).modseq);
  const options = { where: { id: ids }, transaction: ctx.tx };
  if (to === 'gone') {
    await MailboxEntry.update({ ...change, folder: to, folderId: null, uid: null }, options);
    return;
  }
  const { folderId, modseq } = folders.of(userId, to);
  if (from === to) {
    await MailboxEntry.update({ ...change, modseq }, options);
    return;
  }
  const [first = 0] = ids.map(() => folders.place(userId, to).uid);
  // The UIDs follow each other in the order of the ids
  const uid = literal(`${first} - 1 + FIELD(id, ${ids.map((id) => escape(id)).join(', ')})`);
  await MailboxEntry.update({ ...change, folder: to, folderId, modseq, uid }, options);
}

async function noteExpunged(ctx: TxCtx, ids: readonly string[], modseq: string): Promise<void> {
  await changeRows(
    ctx,
    `INSERT INTO expunged_entries (folder_id, modseq, uid)
     SELECT folder_id, ?, uid FROM mailbox_entries WHERE id IN (?) AND uid IS NOT NULL`,
    [modseq, ids],
  );
}

/** The part of a change that decides about folders and counts. */
function flagsIn(change: EntryChange): Partial<EntryFlags> {
  return Object.fromEntries(entryFlags.flatMap((name) => (change[name] === undefined ? [] : [[name, change[name]]])));
}
