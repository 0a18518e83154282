import { requireInFolder } from '../access/mail-permissions.ts';
import type { Ctx } from '../context/context.ts';
import { type EntryPlace, isSamePlace, mergeMoved, type MovedFrom, placeOf, writePlace } from './move-entries.ts';
import { findOwnFolder } from './own-folders.ts';
import { type FolderOfPerson, type FolderProgress, walkFolder } from './walk-folder.ts';

interface FolderMove extends FolderOfPerson {
  to: EntryPlace;
  /** Only entries with a lower UID are moved, as for `walkFolder`. */
  until: string;
}

/**
 * Moves all entries of a folder below a UID into a folder that the person made, or out of one, for
 * some seconds at most.
 * @returns those that were elsewhere before, by their former place
 * @throws AppError 403 when the actor may not change what is in the folder, or the inbox; 404 when
 *   the person has made no such folders
 */
export async function moveFolder(ctx: Ctx, { to, ...place }: FolderMove): Promise<FolderProgress<MovedFrom>> {
  const { userId } = place;
  requireInFolder(ctx, 'own', 'edit');
  if (to.ownFolderId !== null) await findOwnFolder(ctx, { userId, folderId: to.ownFolderId });
  const progress = await walkFolder(ctx, {
    ...place,
    action: 'edit',
    choose: (entries) => entries.filter((entry) => !isSamePlace(placeOf(entry), to)),
    change: async (tx, entries) => {
      // A folder that is deleted meanwhile must not receive anything
      if (to.ownFolderId !== null) await findOwnFolder(tx, { userId, folderId: to.ownFolderId });
      return await writePlace(tx, { userId, entries, to });
    },
  });
  return { ...progress, touched: mergeMoved(progress.touched) };
}
