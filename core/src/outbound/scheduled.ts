import { conflict } from '../errors.ts';
import type { Ctx, TxCtx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import { parseFutureTime } from '../mailstore/parse-future-time.ts';
import { type ListedEntry, readListed } from '../mailstore/read-listed.ts';

/** Scheduled messages that one person may have. */
export const mostScheduled = 100;

/** A nearer time is not worth a schedule: the person can wait, and then send. */
const soonestMs = 2 * 60_000;

/**
 * Reads the time at which a message is to leave (D48). A form offers times from 2 minutes ahead;
 * one minute of that is tolerated, for the device's clock and for the time that the call takes.
 * @throws AppError 422 when it is less than 1 minute or more than 366 days ahead
 */
export function readSendTime(text: string): Date {
  return parseFutureTime(text, { field: 'send_at', soonestMs });
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
