import type { Ctx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import { workThrough } from '../sweeps/work-through.ts';
import { workOnCopy } from './copy-mailbox.ts';

/** No run goes this long without a commit, even when each slice waits for a lock. */
const idleMs = 15_000;
const atOnce = 100;
/** How long one pass works on a copy: the others have their turn. */
const passMs = 10_000;

/**
 * Goes on with the copies that no run is at work on: their job was lost, or its process was killed.
 * @returns how many were gone on with
 */
export async function goOnWithCopies(ctx: Ctx, signal?: AbortSignal, now = Date.now()): Promise<number> {
  const rows = await readRows<{ id: string }>(
    ctx,
    `SELECT id FROM mail_copies WHERE state IN ('copying', 'removing') AND updated_at < ? ORDER BY updated_at LIMIT ${atOnce}`,
    [new Date(now - idleMs)],
  );
  const work = async (id: string): Promise<boolean> => {
    await workOnCopy(ctx, id, { longestMs: passMs, signal });
    return true;
  };
  const ids = rows.map(({ id }) => String(id));
  return await workThrough(ids, work, { failure: 'a copy of a mailbox could not be made', signal });
}
