import type { Ctx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import { workThrough } from '../sweeps/work-through.ts';
import { hourMs } from '../utc-day.ts';
import { workOnCopy } from './copy-mailbox.ts';

/** A run commits more often than this, even when each slice waits for a lock. */
const idleMs = 15_000;
const atOnce = 100;
/**
 * A run that committed so far in the future did so while the clock was ahead, and counts as idle.
 */
const furthestMs = hourMs;
/** How long one pass works on a copy, before it goes to the next one. */
const passMs = 10_000;

/**
 * Continues the copies that no run works on: their job was lost, or its process was killed.
 * @returns how many it has worked on
 */
export async function resumeCopies(ctx: Ctx, signal?: AbortSignal, now = Date.now()): Promise<number> {
  const rows = await readRows<{ id: string }>(
    ctx,
    `SELECT id FROM mail_copies
      WHERE state IN ('copying', 'removing') AND (updated_at < ? OR updated_at > ?) ORDER BY updated_at LIMIT ${atOnce}`,
    [new Date(now - idleMs), new Date(now + furthestMs)],
  );
  const work = async (id: string): Promise<boolean> => {
    await workOnCopy(ctx, id, { longestMs: passMs, signal });
    return true;
  };
  const ids = rows.map(({ id }) => String(id));
  return await workThrough(ids, work, { failure: 'a copy of a mailbox could not be made', signal });
}
