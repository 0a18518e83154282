import { writeUniqueName } from '../http/write-unique-name.ts';
import { folderNameKey, mostOwnFolders, type OwnFolderDto } from '@selvage/core/contracts/own-folders';
import { mayInFolder, requireInFolder } from '@selvage/core/access/mail-permissions';
import { inTransaction } from '@selvage/core/context/context';
import { lockUser } from '@selvage/core/directory/lock-user';
import { conflict, notFound } from '@selvage/core/errors';
import { causeOf, enqueueAll } from '@selvage/core/jobs/enqueue';
import { emptyDeletedFolder } from '@selvage/core/jobs/empty-deleted-folder';
import { announceChanges } from '@selvage/core/mailstore/change-feed';
import { type OwnFolder, readFolderFigures, readOwnFolders } from '@selvage/core/mailstore/own-folders';
import { Folder } from '@selvage/core/models/folder';
import type { SignedIn } from '../http/request-context.ts';

const nameTaken = {
  text: 'A folder with this name already exists',
  code: 'folder_name_taken',
  field: 'name',
};

/** The folders that the caller made, by name; none where the caller may not view the inbox. */
export async function listFoldersOf(ctx: SignedIn): Promise<OwnFolderDto[]> {
  if (!mayInFolder(ctx, 'own', 'view')) return [];
  return (await readOwnFolders(ctx, ctx.actor.userId)).map(presentFolder);
}

/** @throws 403 without the inbox, 409 when the name is taken or there are too many */
export async function addFolder(ctx: SignedIn, name: string): Promise<OwnFolderDto> {
  requireInFolder(ctx, 'own', 'edit');
  const made = await inTransaction(ctx, async (tx) => {
    // Two windows that make folders at once take turns, so that there are never too many
    const user = await lockUser(tx, ctx.actor.userId);
    const owner = { userId: String(user.id), companyId: String(user.companyId) };
    const { made: count, uidValidity } = await readFolderFigures(tx, owner.userId);
    if (count >= mostOwnFolders) {
      throw conflict(`There are ${mostOwnFolders} folders already. Delete one first.`, 'too_many_folders');
    }
    const values = { ...owner, role: null, name, nameKey: folderNameKey(name), uidValidity };
    return await writeUniqueName(nameTaken, () => Folder.create(values, { transaction: tx.tx }));
  });
  tellWindows(ctx, made);
  return presentFolder(made);
}

/** @throws 403 without the inbox, 404 for another person's, 409 when the name is taken */
export async function renameFolder(ctx: SignedIn, id: string, name: string): Promise<OwnFolderDto> {
  requireInFolder(ctx, 'own', 'edit');
  const changed = await inTransaction(ctx, async (tx) => {
    const found = await Folder.findOne({
      where: { id, userId: ctx.actor.userId, role: null, removedAt: null },
      transaction: tx.tx,
      lock: tx.tx.LOCK.UPDATE,
    });
    if (!found) throw notFound('folder');
    return await writeUniqueName(nameTaken, () =>
      found.update({ name, nameKey: folderNameKey(name) }, { transaction: tx.tx }),
    );
  });
  tellWindows(ctx, changed);
  return presentFolder(changed);
}

/**
 * Deletes a folder. It disappears from lists at once, and a job moves its mail to the trash.
 * @throws 403 without the inbox, 404 for another person's
 */
export async function removeFolder(ctx: SignedIn, id: string): Promise<void> {
  requireInFolder(ctx, 'own', 'edit');
  await inTransaction(ctx, async (tx) => {
    const [removed] = await Folder.update(
      { removedAt: new Date(), name: null, nameKey: null },
      { where: { id, userId: ctx.actor.userId, role: null, removedAt: null }, transaction: tx.tx },
    );
    if (removed === 0) throw notFound('folder');
    await enqueueAll(tx, emptyDeletedFolder, [{ payload: { folderId: id }, causeId: causeOf(tx) }]);
  });
  tellWindows(ctx, { id, highestModseq: '1' });
}

function tellWindows(ctx: SignedIn, { id, highestModseq }: Pick<Folder, 'id' | 'highestModseq'>): void {
  const notice = { userId: ctx.actor.userId, role: `own:${id}` as const, folderId: String(id) };
  announceChanges(ctx.app, [{ ...notice, modseq: String(highestModseq ?? 1) }]);
}

function presentFolder({ id, name, total, unread }: Pick<Folder | OwnFolder, 'id' | 'name' | 'total' | 'unread'>) {
  return { _id: String(id), name: name ?? '', total: Number(total ?? 0), unread: Number(unread ?? 0) };
}
