import type { App } from '../context/app.ts';
import { type Ctx, systemContext, type TxCtx } from '../context/context.ts';
import { groupWorkOf, lookUpLimits } from '../database/group-work.ts';
import { changeRows, readRows, type SqlValue } from '../database/run-sql.ts';

/*
 * Each transfer that is under way has a row in `outbound_transfers`, so the transfers of all worker
 * processes are counted without a look at their deliveries, of which one transfer has up to a
 * hundred. A row counts until its lease runs out. The worker renews it together with the leases of
 * the deliveries, and deletes it when the transfer ends.
 */

/** A transfer that begins. */
export interface NewTransfer {
  id: string;
  /** Null when the message of its delivery no longer exists. */
  messageId: string | null;
  domain: string;
}

/** How long a row of a worker that died is kept after its lease. */
const keptMs = 3_600_000;

/**
 * How many transfers are under way to each domain, over all processes. The index is forced: while a
 * dump of the database runs, the table keeps the rows of all transfers that have ended since.
 */
export async function countTransfers(ctx: Ctx, now: Date): Promise<Map<string, number>> {
  const rows = await readRows<{ domain: string; running: number }>(
    ctx,
    `SELECT domain, COUNT(*) AS running FROM outbound_transfers FORCE INDEX (outbound_transfers_lease)
      WHERE lease_until > ? GROUP BY domain`,
    [now],
  );
  return new Map(rows.map(({ domain, running }) => [domain, Number(running)]));
}

/** Counts transfers from now on, in the transaction that claims their deliveries. */
export async function addTransfers(ctx: TxCtx, transfers: readonly NewTransfer[], leaseUntil: Date): Promise<void> {
  await changeRows(
    ctx,
    `INSERT INTO outbound_transfers (id, message_id, domain, lease_until)
     VALUES ${transfers.map(() => '(?, ?, ?, ?)').join(', ')}`,
    transfers.flatMap(({ id, messageId, domain }): SqlValue[] => [id, messageId, domain, leaseUntil]),
  );
}

/** Lets transfers count until another time. */
export async function renewTransfers(ctx: Ctx, ids: readonly string[], leaseUntil: Date): Promise<void> {
  if (ids.length === 0) return;
  await changeRows(ctx, 'UPDATE outbound_transfers SET lease_until = ? WHERE id IN (?)', [leaseUntil, ids]);
}

/** Counts a transfer no longer. Transfers that end at the same time share a statement. */
export async function endTransfer(ctx: Ctx, id: string): Promise<void> {
  await endOf(ctx.app).add(id);
}

const endOf = groupWorkOf<App, string, void>(async (app, ids) => {
  await changeRows(systemContext(app), 'DELETE FROM outbound_transfers WHERE id IN (?)', [ids]);
  return ids.map(() => undefined);
}, lookUpLimits);

/** Deletes what workers that died have left. */
export async function forgetOldTransfers(ctx: Ctx, now: Date): Promise<void> {
  await changeRows(ctx, 'DELETE FROM outbound_transfers WHERE lease_until < ?', [new Date(now.getTime() - keptMs)]);
}
