import { changeRows, readRows } from '../database/run-sql.ts';
import type { DatabaseTarget } from '../database/run-statement.ts';
import type { TxCtx } from '../context/context.ts';

/*
 * A backup reads the rows first and copies the bytes afterwards, so meanwhile no bytes may be
 * removed. One row of `removal_hold` coordinates this:
 *
 *   removal:  areRemovalsHeld (shared lock on the row) -> remove rows and bytes -> commit
 *   backup:   takeRemovalHold (waits for the removals under way) -> snapshot -> copy -> release
 *
 * The sweeps later remove what could not be removed during the backup. If a backup is killed, its
 * hold ends by itself. All times are the database's.
 */

/** How long a hold lasts unless it is renewed. */
export const holdSeconds = 90;

/**
 * A hold may end this much later, in seconds, since the clock may have been put back since it was
 * written.
 */
export const mostAhead = 2 * holdSeconds;

const isHeldNow = 'held_until > UTC_TIMESTAMP(3) AND held_until <= TIMESTAMPADD(SECOND, ?, UTC_TIMESTAMP(3))';

/**
 * Whether a backup needs all bytes to stay. If not, no backup can begin before the transaction
 * ends. A time too far ahead was written by a clock that was wrong, and does not count.
 */
export async function areRemovalsHeld(ctx: TxCtx): Promise<boolean> {
  const rows = await readRows<{ isHeld: number | null }>(
    ctx,
    `SELECT ${isHeldNow} AS isHeld FROM removal_hold WHERE id = 1 LOCK IN SHARE MODE`,
    [mostAhead],
  );
  return Number(rows[0]?.isHeld ?? 0) === 1;
}

/** Begins a hold once the removals under way have ended; false while another backup has one. */
export async function takeRemovalHold(target: DatabaseTarget, claimId: string): Promise<boolean> {
  const taken = await changeRows(
    target,
    `UPDATE removal_hold SET held_until = TIMESTAMPADD(SECOND, ?, UTC_TIMESTAMP(3)), claim_id = ?
      WHERE id = 1 AND NOT COALESCE(${isHeldNow}, FALSE)`,
    [holdSeconds, claimId, mostAhead],
  );
  return taken > 0;
}

/** Prolongs a hold; false when it no longer counted, and bytes may have been removed since. */
export async function renewRemovalHold(target: DatabaseTarget, claimId: string): Promise<boolean> {
  const renewed = await changeRows(
    target,
    `UPDATE removal_hold SET held_until = TIMESTAMPADD(SECOND, ?, UTC_TIMESTAMP(3))
      WHERE id = 1 AND claim_id = ? AND ${isHeldNow}`,
    [holdSeconds, claimId, mostAhead],
  );
  if (renewed > 0) return true;
  // Two renewals in one millisecond write the same time, and an unchanged row is not counted
  const rows = await readRows(target, `SELECT id FROM removal_hold WHERE id = 1 AND claim_id = ? AND ${isHeldNow}`, [
    claimId,
    mostAhead,
  ]);
  return rows.length > 0;
}

export async function releaseRemovalHold(target: DatabaseTarget, claimId: string): Promise<void> {
  await changeRows(target, 'UPDATE removal_hold SET held_until = NULL, claim_id = NULL WHERE id = 1 AND claim_id = ?', [
    claimId,
  ]);
}
