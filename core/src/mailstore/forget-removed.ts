import { type Ctx, inTransaction } from '../context/context.ts';
import { isAwayForAll } from '../database/database-errors.ts';
import { changeRows, readRows } from '../database/run-sql.ts';
import { log } from '../log.ts';
import { restAfter } from '../sweeps/rest.ts';
import { dayMs } from '../utc-day.ts';

/** One pass deletes at most the oldest week, as the passes for other old rows do. */
const mostOfPassMs = 7 * dayMs;
const rowsOfStep = 1000;

/**
 * Deletes the records of UIDs that left a folder before a moment. Returns how many. The same
 * transaction writes to the folder up to which MODSEQ records are deleted, so that a reader never
 * takes an incomplete answer for a complete one.
 */
export async function forgetRemoved(
  ctx: Ctx,
  { before, signal }: { before: Date; signal?: AbortSignal },
): Promise<number> {
  let [forgotten, limit] = [0, before];
  const failed = new Set<string>();
  for (let isFirst = true; ; isFirst = false) {
    const startedAt = performance.now();
    const rows = await readOldest(ctx, limit, failed);
    const [oldest] = rows;
    if (oldest === undefined) return forgotten;
    if (isFirst) limit = new Date(Math.min(before.getTime(), oldest.createdAt.getTime() + mostOfPassMs));
    const byFolder = Map.groupBy(
      rows.filter(({ createdAt }) => createdAt < limit),
      ({ folderId }) => String(folderId),
    );
    for (const [folderId, old] of byFolder) {
      const modseqs = old.map(({ modseq }) => BigInt(modseq));
      const latest = modseqs.reduce((most, one) => (one > most ? one : most));
      try {
        forgotten += await forgetUpTo(ctx, folderId, String(latest));
      } catch (error) {
        if (isAwayForAll(error)) throw error;
        // The rows of this folder stay, and are skipped so that they don't block those of other
        // folders
        log.error('UIDs that left a folder could not be forgotten', { folderId, error });
        failed.add(folderId);
      }
    }
    await restAfter(startedAt, signal);
  }
}

interface OldRow {
  folderId: string;
  modseq: string;
  createdAt: Date;
}

async function readOldest(ctx: Ctx, before: Date, without: ReadonlySet<string>): Promise<OldRow[]> {
  const others = without.size === 0 ? '' : 'AND folder_id NOT IN (?)';
  return await readRows<OldRow>(
    ctx,
    `SELECT folder_id AS folderId, modseq, created_at AS createdAt FROM expunged_entries FORCE INDEX (expunged_age)
      WHERE created_at < ? ${others} ORDER BY created_at LIMIT ${rowsOfStep}`,
    without.size === 0 ? [before] : [before, [...without]],
  );
}

async function forgetUpTo(ctx: Ctx, folderId: string, modseq: string): Promise<number> {
  return await inTransaction(ctx, async (tx) => {
    await changeRows(tx, 'UPDATE folders SET forgotten_modseq = GREATEST(forgotten_modseq, ?) WHERE id = ?', [
      modseq,
      folderId,
    ]);
    return await changeRows(
      tx,
      `DELETE FROM expunged_entries WHERE folder_id = ? AND modseq <= ? ORDER BY modseq LIMIT ${rowsOfStep}`,
      [folderId, modseq],
    );
  });
}

/**
 * Deletes some of the UIDs that left a folder which is deleted next. Its row would take all of them
 * with it in one statement, which fails when they are too many.
 * @returns whether there may be more
 */
export async function forgetSomeOf(ctx: Ctx, folderId: string): Promise<boolean> {
  const statement = `DELETE FROM expunged_entries WHERE folder_id = ? ORDER BY modseq LIMIT ${rowsOfStep}`;
  return (await changeRows(ctx, statement, [folderId])) === rowsOfStep;
}
