import { conflict, invalid } from '../errors.ts';
import type { Ctx, TxCtx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import { type ListedEntry, readListed } from '../mailstore/read-listed.ts';

/** Scheduled messages that one person may have. */
export const mostScheduled = 100;

const MINUTE_MS = 60_000;
/** A nearer time is not worth a schedule: the person can wait, and then send. */
const soonestMs = 2 * MINUTE_MS;
const latestMs = 366 * 24 * 60 * MINUTE_MS;
/** Allows for the clock of the person's device, and for the time that the call takes. */
const toleranceMs = MINUTE_MS;

/**
 * Reads the time at which a message is to leave (D48).
 * @throws AppError 422 when it is less than 2 minutes or more than a year ahead
 */
export function readSendTime(text: string, now = new Date()): Date {
  const at = new Date(text);
  const aheadMs = at.getTime() - now.getTime();
  if (!(aheadMs >= soonestMs - toleranceMs)) {
    throw invalid({ send_at: 'Choose a time that is at least 2 minutes ahead' });
  }
  if (aheadMs > latestMs) throw invalid({ send_at: 'Choose a time within a year' });
  return at;
}

/**
 * Called after the change that schedules a message.
 * @throws AppError 409 when the person now has more scheduled messages than one may have
 */
export async function requireFewScheduled(ctx: TxCtx, userId: string): Promise<void> {
  const ids = await scheduledIds(ctx, userId);
  if (ids.length <= mostScheduled) return;
  const text = `You have ${mostScheduled} scheduled messages already. Send or cancel one first.`;
  throw conflict(text, 'too_many_scheduled');
}

/**
 * A person's scheduled messages, the one that leaves first at the top. Their number is limited, so
 * each call sorts all of them.
 */
export async function listScheduled(
  ctx: Ctx,
  { userId, page, limit }: { userId: string; page: number; limit: number },
): Promise<{ rows: ListedEntry[]; total: number }> {
  const ids = await scheduledIds(ctx, userId);
  return { rows: await readListed(ctx, ids.slice((page - 1) * limit, page * limit)), total: ids.length };
}

async function scheduledIds(ctx: Ctx, userId: string): Promise<string[]> {
  const rows = await readRows<{ id: string }>(
    ctx,
    `SELECT e.id FROM folders f JOIN mailbox_entries e FORCE INDEX (entries_page) ON e.folder_id = f.id
      WHERE f.user_id = ? AND f.role = 'scheduled' ORDER BY e.undo_until, e.id`,
    [userId],
  );
  return rows.map(({ id }) => String(id));
}
