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
 * @param until the MODSEQ of the folder up to which entries are deleted, as an earlier call
 *   returned it; without it, the present one
 * @returns how many were deleted; `isLeft` when time ran out before all were
 * @throws AppError 403 when the actor may not delete what is in the folder
 */
export async function emptyTrashOrJunk(
  ctx: Ctx,
  { userId, folder: role, until }: { userId: string; folder: 'trash' | 'junk'; until?: string | undefined },
): Promise<{ removed: number; isLeft: boolean; until: string }> {
  requireInFolder(ctx, role, 'delete');
  const [folder] = await readRows<{ id: string; modseq: string }>(
    ctx,
    `SELECT id, highest_modseq AS modseq FROM folders WHERE user_id = ? AND role = ?`,
    [userId, role],
  );
  if (folder === undefined) return { removed: 0, isLeft: false, until: '0' };
  const folderId = String(folder.id);
  const bound = until ?? String(folder.modseq);
  const endsAt = Date.now() + limitMs;
  let removed = 0;
  for (;;) {
    const entryIds = await idsOf(ctx, folderId, bound);
    if (entryIds.length === 0) return { removed, isLeft: false, until: bound };
    const deleted = await deleteEntries(ctx, {
      userId,
      entryIds,
      isMeant: (entry) => String(entry.folderId) === folderId && BigInt(entry.modseq) <= BigInt(bound),
    });
    removed += deleted.length;
    if (Date.now() >= endsAt) return { removed, isLeft: true, until: bound };
  }
}

async function idsOf(ctx: Ctx, folderId: string, until: string): Promise<string[]> {
  const rows = await readRows<{ id: string }>(
    ctx,
    `SELECT id FROM mailbox_entries WHERE folder_id = ? AND modseq <= ? ORDER BY modseq LIMIT ${batch}`,
    [folderId, until],
  );
  return rows.map(({ id }) => String(id));
}
