import type { Ctx } from '../context/context.ts';
import { changeRows, readRows } from '../database/run-sql.ts';
import { inUndoTime, leaseMs, queued } from './deliveries.ts';

/**
 * How far beyond the longest wait a time must lie to be mended. The host never sets such a time.
 */
const marginMs = 3_600_000;
/**
 * The same for an undo time, which is a minute at most, and for the time of a row's last change: a
 * clock is often wrong by an hour.
 */
const smallMarginMs = 300_000;
/** Rows that one statement changes. */
const batch = 500;

/**
 * Mends deliveries whose next attempt is further ahead than any wait between two attempts: the
 * clock was ahead when their time was written. They become due now. This leaves alone the times
 * that people choose: those of scheduled messages, and of deliveries that an administrator holds. A
 * lease that is too long is cut to the length of a new one, and a worker that is alive renews it in
 * time.
 * @returns how many deliveries have another time now
 */
export async function mendTimes(ctx: Ctx, now = new Date()): Promise<number> {
  const longest = Math.max(...ctx.app.config.retryScheduleSeconds) * 1000;
  const ahead = (ms: number) => new Date(now.getTime() + ms);
  await shortenLeases(ctx, { to: ahead(leaseMs), after: ahead(marginMs) });
  const tooFar = await bringBack(ctx, queued, { now, after: ahead(longest + marginMs) });
  const held = await bringBack(ctx, inUndoTime, { now, after: ahead(smallMarginMs) });
  return tooFar + held;
}

/** The deliveries of a lease are found by its transfer. */
async function shortenLeases(ctx: Ctx, { to, after }: { to: Date; after: Date }): Promise<void> {
  await changeRows(
    ctx,
    `UPDATE outbound_transfers t
       STRAIGHT_JOIN deliveries d FORCE INDEX (deliveries_message) ON d.message_id = t.message_id AND d.state = 'queued'
        SET d.lease_until = ? WHERE t.lease_until > ? AND d.lease_until > ?`,
    [to, after, after],
  );
  await changeRows(ctx, 'UPDATE outbound_transfers SET lease_until = ? WHERE lease_until > ?', [to, after]);
}

async function bringBack(ctx: Ctx, which: string, { now, after }: { now: Date; after: Date }): Promise<number> {
  return await changeRows(
    ctx,
    `UPDATE deliveries FORCE INDEX (deliveries_due) SET next_attempt_at = ?, updated_at = ?
      WHERE ${which} AND next_attempt_at > ? LIMIT ${batch}`,
    [now, now, after],
  );
}

/**
 * Mends deliveries that were last changed in the future: the clock was ahead then, perhaps by less
 * than the longest wait. They become due now. No index has the time of a change, so they are read
 * first: a statement that changes rows would lock all rows that it looks at, which is nearly the
 * whole queue.
 * @returns how many deliveries have another time now
 */
export async function mendChangedAhead(ctx: Ctx, signal?: AbortSignal, now = new Date()): Promise<number> {
  const after = new Date(now.getTime() + smallMarginMs);
  for (let mended = 0; ; ) {
    const rows = await readRows<{ id: string }>(
      ctx,
      `SELECT id FROM deliveries FORCE INDEX (deliveries_due)
        WHERE ${queued} AND next_attempt_at > ? AND updated_at > ? LIMIT ${batch}`,
      [after, after],
    );
    if (rows.length === 0) return mended;
    signal?.throwIfAborted();
    mended += await changeRows(
      ctx,
      `UPDATE deliveries FORCE INDEX (PRIMARY) SET next_attempt_at = ?, updated_at = ?
        WHERE id IN (?) AND ${queued} AND next_attempt_at > ? AND updated_at > ?`,
      [now, now, rows.map(({ id }) => String(id)), after, after],
    );
  }
}
