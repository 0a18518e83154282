import type { Ctx } from '../context/context.ts';
import { findLeft } from '../sweeps/find-left.ts';
import { workThrough } from '../sweeps/work-through.ts';
import { emptyDeletedFolder } from './own-folders.ts';
import { removeLabelRows } from './remove-label.ts';

/** The job of a deletion younger than this, in milliseconds, may still be at work. */
export const leftAloneMs = 60_000;
const atOnce = 100;
/** How long one pass works on a deletion, before it goes to the next one. */
export const passMs = 10_000;

/**
 * Continues the removal of deleted folders and labels whose job was lost or has failed for good:
 * until the mail of a deleted folder has moved, no list shows it. If the job is still at work, both
 * share the rest, batch by batch.
 * @returns how many were finished
 */
export async function resumeRemovals(ctx: Ctx, signal?: AbortSignal, now = Date.now()): Promise<number> {
  const left = { before: now - leftAloneMs, most: atOnce };
  const folders = await findLeft(ctx, 'folders', left);
  const labels = await findLeft(ctx, 'labels', left);
  const run = { longestMs: passMs, signal };
  const empty = async (id: string) => (await emptyDeletedFolder(ctx, id, run)) === 'done';
  const emptied = await workThrough(folders, empty, {
    failure: 'a deleted folder could not be emptied',
    signal,
  });
  const take = async (id: string) => (await removeLabelRows(ctx, id, run)) === 'done';
  const taken = await workThrough(labels, take, {
    failure: 'a deleted label could not be taken from its messages',
    signal,
  });
  return emptied + taken;
}
