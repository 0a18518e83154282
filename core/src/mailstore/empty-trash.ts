import { requireInFolder } from '../access/mail-permissions.ts';
import type { Ctx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import { deleteEntries } from './delete-entries.ts';

/** Entries that one transaction deletes. */
const batch = 500;
/** How long one call goes on at most: a request must not hold a connection for minutes. */
const limitMs = 5_000;

/**
 * Deletes what is in the trash of a person, or in Junk, for good, in batches. Messages that come
 * into the folder meanwhile stay, since their owner has not seen them yet.
 * @param until only entries with a lower UID are deleted: the mark of the folder that the client
 *   took before it asked the person; without it, what is there now
 * @returns how many were deleted; `isLeft` when time ran out before all were
 * @throws AppError 403 when the actor may not delete what is in the folder
 */
export async function emptyTrashOrJunk(
  ctx: Ctx,
  { userId, folder: role, until }: { userId: string; folder: 'trash' | 'junk'; until?: string | undefined },
): Promise<{ removed: number; isLeft: boolean; until: string }> {
  requireInFolder(ctx, role, 'delete');
  const [folder] = await readRows<{ id: string; uidNext: number }>(
    ctx,
    `SELECT id, uid_next AS uidNext FROM folders WHERE user_id = ? AND role = ?`,
    [userId, role],
  );
  if (folder === undefined) return { removed: 0, isLeft: false, until: '1' };
  const folderId = String(folder.id);
  const bound = until ?? String(folder.uidNext);
  const endsAt = Date.now() + limitMs;
  let removed = 0;
  for (;;) {
    const entryIds = await idsOf(ctx, folderId, bound);
    if (entryIds.length === 0) return { removed, isLeft: false, until: bound };
    const deleted = await deleteEntries(ctx, {
      userId,
      entryIds,
      isMeant: (entry) => String(entry.folderId) === folderId && Number(entry.uid) < Number(bound),
    });
    removed += deleted.length;
    if (Date.now() >= endsAt) return { removed, isLeft: true, until: bound };
  }
}

async function idsOf(ctx: Ctx, folderId: string, until: string): Promise<string[]> {
  const rows = await readRows<{ id: string }>(
    ctx,
    `SELECT id FROM mailbox_entries FORCE INDEX (entries_uid) WHERE folder_id = ? AND uid < ? ORDER BY uid LIMIT ${batch}`,
    [folderId, until],
  );
  return rows.map(({ id }) => String(id));
}
