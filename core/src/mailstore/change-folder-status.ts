import type { Ctx } from '../context/context.ts';
import { type StatusChange, writeFlags } from './change-status.ts';
import { type FolderOfPerson, type FolderProgress, type WalkedEntry, walkFolder } from './walk-folder.ts';

interface FolderStatusChange extends FolderOfPerson {
  /** One flag, with its new value. */
  flags: StatusChange;
  /** Only entries with a lower UID are changed, as for `walkFolder`. */
  until: string;
}

/**
 * Sets a flag on all entries of a folder below a UID, for some seconds at most.
 * @returns the ids of those that had the other value
 * @throws AppError 403 when the actor may not change, or delete, what is in the folder; 404 when
 *   the person has no such folder
 */
export async function changeFolderStatus(
  ctx: Ctx,
  { flags, ...place }: FolderStatusChange,
): Promise<FolderProgress<string>> {
  return await walkFolder(ctx, {
    ...place,
    action: flags.deleteStatus ? 'delete' : 'edit',
    choose: (entries) => entries.filter((entry) => differs(entry, flags)),
    change: async (tx, entries) => (await writeFlags(tx, entries, flags)).map(({ id }) => String(id)),
  });
}

function differs(entry: WalkedEntry, { deleteStatus, ...wanted }: StatusChange): boolean {
  return (
    deleteStatus === true ||
    Object.entries(wanted).some(([name, value]) => value !== undefined && entry[name as keyof typeof wanted] !== value)
  );
}
