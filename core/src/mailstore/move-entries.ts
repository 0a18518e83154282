import { escape } from 'mysql2';
import { requireInFolder, requireOnEntries } from '../access/mail-permissions.ts';
import { type Ctx, inTransaction, type TxCtx } from '../context/context.ts';
import { conflict, notFound } from '../errors.ts';
import type { MailboxEntry } from '../models/mailbox-entry.ts';
import { changeEntries } from './change-entries.ts';
import { lockNamed, type NamedEntries } from './change-status.ts';
import { batchesOf, entriesOfThreads } from './change-thread-status.ts';
import { type EntryFlags, flagsOf, folderOf, noFlags } from './folders.ts';
import { readOwnFolder } from './own-folders.ts';

/** The place of an entry: the fields that a move changes. */
export type EntryPlace = Pick<EntryFlags, 'ownFolderId' | 'archiveStatus' | 'junkStatus' | 'trashStatus'>;

interface Moving extends NamedEntries {
  to: EntryPlace;
}

/** Entries that were moved, and where they were before. */
export interface MovedFrom {
  from: EntryPlace;
  entryIds: string[];
}

/**
 * Moves entries of one person into a folder that the person made, or out of one; all or none.
 * @returns those that were elsewhere before
 * @throws AppError notFound when one of the ids is not an entry or a folder of this person; 403
 *   when the actor may not change what is in the folder of one of them, or the inbox; 409 when one
 *   is a draft or waits for its time
 */
export async function moveEntries(ctx: Ctx, { to, ...named }: Moving): Promise<MovedFrom[]> {
  const { userId } = named;
  requireInFolder(ctx, 'own', 'edit');
  return await inTransaction(ctx, async (tx) => {
    const place = await findPlace(tx, userId, to);
    const entries = await lockNamed(tx, named);
    const places = entries.map((entry) => ({ folder: folderOf(flagsOf(entry)), starStatus: entry.starStatus }));
    requireOnEntries(tx, places, 'edit');
    if (places.some(({ folder }) => folder === 'draft' || folder === 'scheduled')) {
      throw conflict('Drafts and scheduled messages cannot be moved.', 'not_movable');
    }
    return await writePlace(tx, { userId, entries, to: place });
  });
}

/**
 * The place, as far as it still exists. If the archive, Junk or the trash shows the entry, a
 * deleted folder is dropped from the place: the entry would later go back to the inbox instead.
 * @throws AppError notFound when the place is a folder that the person does not have
 */
async function findPlace(ctx: Ctx, userId: string, to: EntryPlace): Promise<EntryPlace> {
  const { ownFolderId } = to;
  if (ownFolderId === null || (await readOwnFolder(ctx, { userId, folderId: ownFolderId })) !== null) return to;
  if (folderOf({ ...noFlags, ...to }) === 'own') throw notFound('folder');
  return { ...to, ownFolderId: null };
}

/**
 * Moves entries that the caller holds locked. Messages that the person has sent don't go to Junk.
 * @returns those that were elsewhere before
 */
export async function writePlace(
  ctx: TxCtx,
  { userId, entries, to }: { userId: string; entries: readonly MailboxEntry[]; to: EntryPlace },
): Promise<MovedFrom[]> {
  const moved: MovedFrom[] = [];
  // A message that the person has sent is not junk (D46)
  const isKeptFromJunk = ({ sendStatus }: MailboxEntry): boolean => to.junkStatus && sendStatus;
  for (const [isKept, own] of Map.groupBy(entries, isKeptFromJunk)) {
    const place = isKept ? { ...to, junkStatus: false } : to;
    const elsewhere = own.filter((entry) => !isSamePlace(placeOf(entry), place));
    const [first] = elsewhere;
    if (first === undefined) continue;
    await changeEntries(ctx, { companyId: first.companyId, userId, entries: elsewhere }, place);
    moved.push(...elsewhere.map((entry) => ({ from: placeOf(entry), entryIds: [String(entry.id)] })));
  }
  return mergeMoved(moved);
}

/**
 * As `moveEntries`, for whole conversations: each id names the conversation of that entry in its
 * folder, up to this entry. `isLeft` when there are more entries than one call moves.
 * @throws AppError as `moveEntries` does
 */
export async function moveThreads(
  ctx: Ctx,
  { userId, entryIds, to }: Omit<Moving, 'isMeant'>,
): Promise<{ moved: MovedFrom[]; isLeft: boolean }> {
  const { ownFolderId, archiveStatus, junkStatus, trashStatus } = await findPlace(ctx, userId, to);
  const condition = `NOT (own_folder_id <=> ${escape(ownFolderId)}) OR archive_status <> ${escape(archiveStatus)}
    OR junk_status <> IF(send_status, 0, ${escape(junkStatus)}) OR trash_status <> ${escape(trashStatus)}`;
  const { found, isMeant, isLeft } = await entriesOfThreads(ctx, { userId, entryIds, condition });
  const moved: MovedFrom[] = [];
  for (const ids of batchesOf(found)) {
    moved.push(...(await moveEntries(ctx, { userId, entryIds: ids, isMeant, to })));
  }
  return { moved: mergeMoved(moved), isLeft };
}

/** Joins the moved entries that were in the same place. */
export function mergeMoved(moved: readonly MovedFrom[]): MovedFrom[] {
  const byPlace = Map.groupBy(moved, ({ from }) => nameOf(from));
  return [...byPlace.values()].map((own) => ({
    from: (own[0] as MovedFrom).from,
    entryIds: own.flatMap(({ entryIds }) => entryIds),
  }));
}

/** The place of an entry. */
export function placeOf({ ownFolderId, archiveStatus, junkStatus, trashStatus }: EntryPlace): EntryPlace {
  return { ownFolderId: ownFolderId ? String(ownFolderId) : null, archiveStatus, junkStatus, trashStatus };
}

/** Whether two places are the same. */
export function isSamePlace(one: EntryPlace, other: EntryPlace): boolean {
  return nameOf(one) === nameOf(other);
}

function nameOf({ ownFolderId, archiveStatus, junkStatus, trashStatus }: EntryPlace): string {
  return JSON.stringify([ownFolderId, archiveStatus, junkStatus, trashStatus]);
}
