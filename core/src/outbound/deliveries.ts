import { randomBytes } from 'node:crypto';
import type { Delivery, DeliveryState, DeliveryTls } from '../models/delivery.ts';
import type { Ctx } from '../context/context.ts';
import type { Reason } from '../ledger/reasons.ts';

/*
 * An outgoing delivery is a row and the row is the queue:
 *
 *   held ---- undo ----> cancelled
 *    |  \---- scheduled, and its sender may no longer send it ----> cancelled
 *    |  \---- an administrator gives it up, or it can't become a draft ----> bounced
 *    v  time is up
 *   queued <--- 4xx, network, crash: next_attempt_at
 *    |  claim: attempts + 1, next_attempt_at, lease_until and claim_id are committed
 *    |  before anything is tried
 *    +--> stored (in a mailbox of this host) | relayed (the remote server has it)
 *         | bounced (reported to the sender) | cancelled (a copy that is not forwarded)
 *
 * An administrator may hold what is queued, and release it (change-queue.ts).
 *
 * A claim keeps two workers from sending the same row at once:
 *
 * - `claim_id` says whose claim on the row is the last one. It stays when the claim ends, and a new
 *   claim writes a new id.
 * - `lease_until` is set while the claim is held. The holder renews it, and clears it with the
 *   result. A lease that runs out does not end the claim by itself: the row may be claimed again
 *   from then on, and until that happens its worker may still renew it and report.
 * - A row in `outbound_transfers` counts the transfer towards the limit of its domain. It is
 *   written with the claim and renewed with the leases, and it decides nothing about the
 *   deliveries.
 * - Any worker that ever claimed a row may report that the message arrived, while the row is open:
 *   that is true also when another worker has claimed it since. A failure or a postponement counts
 *   only under the last claim, and what queues the row again counts only once, while the lease is
 *   set.
 * - Administrators change only rows without a lease, or whose lease has run out. To hold or to give
 *   up a row, they take the claim away, so that its former worker can't queue it again.
 *
 * (claim-deliveries.ts and find-due.ts claim, settle-deliveries.ts judges reports, take-over.ts in
 * the workers says when a lease that ran out means a dead worker.)
 *
 * Rows of one message for one recipient domain are claimed together and travel in one transfer.
 * Each row is settled by itself. When a worker dies, its leases run out and the next time comes. A
 * row that has ended is deleted after LEDGER_DAYS. One that has not ended is kept, however old it
 * is.
 */

/** How long a claim holds; a worker renews it while it works. */
export const leaseMs = 30_000;

/** The condition for the rows of the queue. */
export const queued = `direction = 'out' AND state = 'queued'`;

/** The condition for rows that their sender can still take back. */
export const inUndoTime = `direction = 'out' AND state = 'held' AND reason = 'held_for_undo'`;

/** The states in which a delivery has not ended. */
export const openStates: readonly DeliveryState[] = ['held', 'queued'];

/** The most recipients of one transfer: every server takes as many (RFC 5321 4.5.3.1.8). */
export const mostRecipients = 100;

/** What decides which rows of one recipient domain share a transfer. */
export type Travelling = Pick<Delivery, 'id'> & { messageId: string | null; forwardedFor: string | null };

/**
 * Rows of one recipient domain with the same key share one transfer. A row whose message no longer
 * exists gets a transfer of its own. A forwarded copy has another envelope sender and other header
 * lines than the original message, so it does not share a transfer with it.
 */
export function transferKey({ id, messageId, forwardedFor }: Travelling): string {
  if (messageId === null) return `row ${id}`;
  return forwardedFor === null ? messageId : `${messageId} ${forwardedFor}`;
}

/** Rows of the queue with the same key share one transfer. */
export function groupKey(row: Travelling & Pick<Delivery, 'recipientDomain'>): string {
  return `${transferKey(row)} ${row.recipientDomain}`;
}

/** A delivery that this process has claimed: the part of its row that an attempt needs. */
export type ClaimedDelivery = Pick<
  Delivery,
  | 'id'
  | 'messageId'
  | 'mailId'
  | 'recipient'
  | 'recipientDomain'
  | 'envelopeFrom'
  | 'attempts'
  | 'nextAttemptAt'
  | 'delayReportedAt'
  | 'entryId'
  | 'forwardedFor'
  | 'createdAt'
  | 'releasedAt'
> & {
  /**
   * The same for all rows that were claimed at once. Another id in the row means another worker's
   * claim.
   */
  claimId: string;
};

/** An id for a new claim, which no other claim has. */
export function newClaimId(): string {
  return randomBytes(12).toString('hex');
}

/** Since when a delivery is under way; for a scheduled message, since its release (D48). */
export function underWaySince({ createdAt, releasedAt }: Pick<Delivery, 'createdAt' | 'releasedAt'>): Date {
  return releasedAt ?? createdAt;
}

/** Whether a delivery is under way for so long that its sender is told of the delay. */
export function isLate(ctx: Ctx, delivery: Pick<Delivery, 'createdAt' | 'releasedAt'>): boolean {
  return Date.now() - underWaySince(delivery).getTime() >= ctx.app.config.delayReportAfterSeconds * 1000;
}

/** The result of an attempt, as it is recorded. */
export interface Settlement {
  reason: Reason;
  lastReply: string | null;
  remoteHost: string | null;
  /** How the connection to the remote server was protected; absent when no server was reached. */
  tls?: ReachedTls | undefined;
}

/** The protection of a connection to a remote server. */
export interface ReachedTls {
  state: DeliveryTls;
  /** Such as `TLSv1.3`; null for an unencrypted connection. */
  protocol: string | null;
}

/** Which claims of other workers are taken over. */
export interface Claims {
  /** Deliveries whose lease has run out may be claimed too: their worker is dead. */
  withRunOutLeases: boolean;
}

/** How many attempts at a delivery have ended: its claim has counted the one that is under way. */
export function endedAttempts({ attempts, leaseUntil }: Pick<Delivery, 'attempts' | 'leaseUntil'>): number {
  return leaseUntil === null ? attempts : attempts - 1;
}

/** Says whether the schedule has no further attempt for a delivery. */
export function isLastAttempt(ctx: Ctx, delivery: Pick<Delivery, 'attempts'>): boolean {
  return delivery.attempts > ctx.app.config.retryScheduleSeconds.length;
}

/** How long a delivery waits after its attempt of this number, at most. */
export function retryAfterSeconds(ctx: Ctx, attempts: number): number {
  const schedule = ctx.app.config.retryScheduleSeconds;
  return schedule[Math.min(attempts, schedule.length) - 1] ?? 60;
}

/**
 * When a claimed delivery that is queued again is tried next. Its claim has chosen the time, and
 * the clock may have been ahead then. So this is no later than a whole wait from now.
 */
export function nextAttemptOf(
  ctx: Ctx,
  { attempts, nextAttemptAt }: Pick<ClaimedDelivery, 'attempts' | 'nextAttemptAt'>,
  now = new Date(),
): Date {
  const latest = now.getTime() + retryAfterSeconds(ctx, attempts) * 1000;
  return new Date(Math.min(nextAttemptAt?.getTime() ?? latest, latest));
}

/**
 * The most that is left of the schedule after this many attempts, in milliseconds; 0 means all of
 * it.
 */
export function restOfScheduleMs(ctx: Ctx, attempts: number): number {
  const left = ctx.app.config.retryScheduleSeconds.slice(attempts);
  return left.reduce((sum, seconds) => sum + seconds, 0) * 1000;
}
