import { type FolderName, outsideStarred } from '../contracts/mail-folders.ts';
import type { PermissionAction } from '../contracts/permissions.ts';
import type { Ctx } from '../context/context.ts';
import type { EntryFolder } from '../models/mailbox-entry.ts';
import { holdsPermission, missingPermission } from './effective-permissions.ts';

/*
 * The permissions of mail (D33). Each folder is a row of the matrix: `view` lists and opens, `edit`
 * sets flags and moves, `delete` deletes for good. Sending needs `create` of Sent. Beginning a
 * draft needs `create` of Draft, and continuing it needs `edit`. Junk has the permissions of the
 * inbox, since its mail is of the same kind (D46). Work of the host itself has no actor and may do
 * everything.
 */

/**
 * Some folders have no row of their own in the matrix. Junk, Snoozed and the folders that a person
 * made count as the inbox. Scheduled counts as Sent, since its owner sends that mail.
 */
function modelOf(folder: FolderName | EntryFolder) {
  if (folder === 'junk' || folder === 'snoozed' || folder === 'own') return 'inbox';
  return folder === 'scheduled' ? 'sent' : folder;
}

/** Says whether the actor holds the flag of a folder. */
export function mayInFolder(ctx: Ctx, folder: FolderName | EntryFolder, action: PermissionAction): boolean {
  return ctx.actor === null || holdsPermission(ctx.actor.permissions, modelOf(folder), action);
}

/** @throws AppError 403 when the actor lacks the flag of a folder */
export function requireInFolder(ctx: Ctx, folder: FolderName | 'own', action: PermissionAction): void {
  if (!mayInFolder(ctx, folder, action)) throw missingPermission();
}

/** Where an entry is shown. */
interface Place {
  folder: EntryFolder;
  starStatus: boolean;
}

/**
 * Says whether the actor holds the flag for an entry. The flag of Starred is enough for a starred
 * entry, unless Starred leaves out the entry's folder.
 */
export function mayOnEntry(ctx: Ctx, { folder, starStatus }: Place, action: PermissionAction): boolean {
  if (mayInFolder(ctx, folder, action)) return true;
  return starStatus && !outsideStarred.has(folder) && mayInFolder(ctx, 'starred', action);
}

/** @throws AppError 403 when the actor lacks the flag for one of the entries */
export function requireOnEntries(ctx: Ctx, entries: readonly Place[], action: PermissionAction): void {
  if (!entries.every((entry) => mayOnEntry(ctx, entry, action))) throw missingPermission();
}
