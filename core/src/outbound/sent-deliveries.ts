import type { Ctx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import type { DeliveryState } from '../models/delivery.ts';

/** The state of a sent message for all of its recipients together. */
export interface SentDelivery {
  entryId: string;
  /** Worst state among the recipients. */
  state: DeliveryState;
  recipients: number;
  failed: number;
  /** Recipients whose servers have not accepted the message yet. It is retried. */
  delayed: number;
  /** Recipients whose deliveries an administrator holds. */
  keptBack: number;
}

/**
 * Sums up the deliveries of sent messages of a person, with one statement. Messages of others, or
 * that the person has not sent, are left out. An attempt that is under way does not count as
 * delayed.
 */
export async function sumUpDeliveries(ctx: Ctx, userId: string, entryIds: readonly string[]): Promise<SentDelivery[]> {
  if (entryIds.length === 0) return [];
  const rows = await readRows<SentDelivery>(
    ctx,
    `SELECT e.id AS entryId, e.delivery_state AS state, COUNT(*) AS recipients, SUM(d.state = 'bounced') AS failed,
            SUM(d.state = 'queued' AND d.attempts > (d.lease_until IS NOT NULL)) AS \`delayed\`,
            SUM(d.state = 'held' AND d.reason = 'held_by_administrator') AS keptBack
       FROM mailbox_entries e JOIN deliveries d ON d.entry_id = e.id AND d.direction = 'out'
      WHERE e.id IN (?) AND e.user_id = ? AND e.send_status = 1 AND e.delivery_state IS NOT NULL
      GROUP BY e.id, e.delivery_state`,
    [entryIds, userId],
  );
  return rows.map(({ entryId, state, recipients, failed, delayed, keptBack }) => ({
    entryId: String(entryId),
    state,
    recipients: Number(recipients),
    failed: Number(failed),
    delayed: Number(delayed),
    keptBack: Number(keptBack),
  }));
}
