import type { Ctx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import { workThrough } from '../sweeps/work-through.ts';
import { deleteEntries } from './delete-entries.ts';
import { dayMs } from '../utc-day.ts';

/** Folders that one step works on, and entries that one transaction deletes. */
const foldersOfStep = 100;
const batch = 500;

/** One pass deletes at most the oldest week of a folder, as the passes for other old rows do. */
const mostOfPassMs = 7 * dayMs;

/**
 * Deletes for good what has been in Junk since before `cutoff`, in the next hundred of these
 * folders past `after`. A message that was moved there, opened or marked since then stays. One pass
 * deletes at most the oldest week of each folder, so that a clock that is ahead does not empty
 * them.
 * @returns the last folder that was checked, null when there is none after it, and how many entries
 *   were deleted
 */
export async function emptyOldJunk(
  ctx: Ctx,
  { after, cutoff, signal }: { after: string; cutoff: Date; signal?: AbortSignal },
): Promise<{ last: string | null; removed: number }> {
  const folders = await readRows<{ id: string; userId: string }>(
    ctx,
    `SELECT id, user_id AS userId FROM folders WHERE id > ? AND role = 'junk' ORDER BY id LIMIT ${foldersOfStep}`,
    [after],
  );
  const owners = new Map(folders.map(({ id, userId }) => [String(id), String(userId)]));
  let removed = 0;
  const empty = async (id: string): Promise<boolean> => {
    removed += await emptyFolder(ctx, { id, userId: owners.get(id) ?? '', cutoff, signal });
    return true;
  };
  await workThrough([...owners.keys()], empty, { failure: 'old mail in Junk could not be deleted', signal });
  return { last: folders.length < foldersOfStep ? null : String(folders.at(-1)?.id), removed };
}

interface OldJunk {
  id: string;
  userId: string;
  cutoff: Date;
  signal: AbortSignal | undefined;
}

async function emptyFolder(ctx: Ctx, { id, userId, cutoff, signal }: OldJunk): Promise<number> {
  const limit = await limitOf(ctx, id, cutoff);
  let removed = 0;
  for (;;) {
    signal?.throwIfAborted();
    const rows = await readRows<{ id: string }>(
      ctx,
      `SELECT id FROM mailbox_entries FORCE INDEX (entries_page)
        WHERE folder_id = ? AND arrived_at < ? AND updated_at < ? ORDER BY arrived_at, id LIMIT ${batch}`,
      [id, cutoff, limit],
    );
    if (rows.length === 0) return removed;
    const deleted = await deleteEntries(ctx, {
      userId,
      entryIds: rows.map((row) => String(row.id)),
      isMeant: (entry) => String(entry.folderId) === id && entry.updatedAt < limit,
    });
    removed += deleted.length;
  }
}

/** The end of the oldest week of the folder, or the cutoff if that is earlier. */
async function limitOf(ctx: Ctx, folderId: string, cutoff: Date): Promise<Date> {
  const [row] = await readRows<{ oldest: Date | null }>(
    ctx,
    `SELECT MIN(updated_at) AS oldest FROM mailbox_entries FORCE INDEX (entries_page)
      WHERE folder_id = ? AND arrived_at < ? AND updated_at < ?`,
    [folderId, cutoff, cutoff],
  );
  return row?.oldest ? new Date(Math.min(cutoff.getTime(), row.oldest.getTime() + mostOfPassMs)) : cutoff;
}
