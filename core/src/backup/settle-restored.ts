import { watchedParts } from '../contracts/domain-guard.ts';
import { changeRows, readRows } from '../database/run-sql.ts';
import type { DatabaseTarget } from '../database/run-statement.ts';
import { writeHoldsAlarms } from '../environment/host-state.ts';
import { replyOnVacation } from '../jobs/reply-on-vacation.ts';

/*
 * A restored database is in the state of the snapshot. What happened after the snapshot must not
 * happen twice, and what ended after it must not come back:
 *
 *   outgoing mail   may have left after the snapshot; it waits until the operator releases it
 *   sessions        may have been ended after the snapshot; every person logs in again
 *   mailed links    may have been used after the snapshot; they run out
 *   UIDs            may have been given to other messages since; mail programs read anew
 *   forwarding      may have been ended after the snapshot; each person must set it up again
 *   vacation        replies may have left after the snapshot, and the host remembers for some days
 *                   only whom it has answered; so jobs that would reply are deleted
 *   alarms          compare the DNS of domains with what the old host saw. The old host may still
 *                   run, with this one beside it for a trial. So the next look counts as the
 *                   first, and later alarms wait like outgoing mail
 *   jobs            were announced to a Redis that this host does not have. All other jobs are
 *                   announced again. Each of them is safe to run twice
 */

const waiting = `direction = 'out' AND state IN ('held', 'queued')`;
/** Deliveries that an administrator holds have no next attempt either, and stay held. */
const heldBack = `${waiting} AND next_attempt_at IS NULL AND NOT (reason <=> 'held_by_administrator')`;

/**
 * What is forgotten of a domain's DNS. The warning of its expiry stays, so it is not sent again.
 */
const watchPaths = [...watchedParts, 'silence'].map((name) => `$.${name}`);

/**
 * Makes a restored database fit to start.
 * @returns how many deliveries wait for `releaseOutgoing`
 */
export async function settleRestored(
  target: DatabaseTarget,
  { sendsOutgoing }: { sendsOutgoing: boolean },
): Promise<number> {
  const now = new Date();
  const next = sendsOutgoing ? 'next_attempt_at' : 'NULL';
  await changeRows(
    target,
    `UPDATE deliveries SET next_attempt_at = ${next}, lease_until = NULL, claim_id = NULL WHERE ${waiting}`,
    [],
  );
  await changeRows(target, 'UPDATE sessions SET ended_at = ? WHERE ended_at IS NULL', [now]);
  await changeRows(target, 'UPDATE one_time_links SET expires_at = ? WHERE used_at IS NULL AND expires_at > ?', [
    now,
    now,
  ]);
  await changeRows(
    target,
    'UPDATE users SET forward_to = NULL, forward_confirmed_at = NULL WHERE forward_to IS NOT NULL',
    [],
  );
  await writeHoldsAlarms(target, !sendsOutgoing);
  // Else the host replaces the old one at once, and its alarms are wanted
  if (!sendsOutgoing)
    await changeRows(target, 'UPDATE domain_health SET watches = JSON_REMOVE(watches, ?)', [watchPaths]);
  await changeRows(target, 'DELETE FROM outbox WHERE job_name = ?', [replyOnVacation.name]);
  await changeRows(target, 'UPDATE outbox SET relayed_at = NULL', []);
  // RFC 9051 2.3.1.1: a larger value says that the UIDs known to mail programs are no longer valid
  await changeRows(target, 'UPDATE folders SET uid_validity = GREATEST(uid_validity + 1, ?)', [
    Math.floor(now.getTime() / 1000),
  ]);
  await changeRows(target, 'UPDATE removal_hold SET held_until = NULL, claim_id = NULL', []);
  return await countHeldBack(target);
}

/** How many deliveries a restore holds back. */
export async function countHeldBack(target: DatabaseTarget): Promise<number> {
  const rows = await readRows<{ count: number }>(
    target,
    `SELECT COUNT(*) AS count FROM deliveries WHERE ${heldBack}`,
    [],
  );
  return Number(rows[0]?.count ?? 0);
}

/**
 * Releases the deliveries that a restore holds back, and allows alarms from now on. Answers how
 * many deliveries.
 */
export async function releaseOutgoing(target: DatabaseTarget): Promise<number> {
  const now = new Date();
  await writeHoldsAlarms(target, false);
  // A message that its sender has scheduled goes at its time, and no sooner (D48)
  const scheduled = await changeRows(
    target,
    `UPDATE deliveries d JOIN mailbox_entries e ON e.id = d.entry_id SET d.next_attempt_at = GREATEST(e.undo_until, ?)
      WHERE d.direction = 'out' AND d.state = 'held' AND d.next_attempt_at IS NULL AND e.scheduled_status = 1`,
    [now],
  );
  return scheduled + (await changeRows(target, `UPDATE deliveries SET next_attempt_at = ? WHERE ${heldBack}`, [now]));
}
