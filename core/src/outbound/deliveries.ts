import { type InferAttributes, Op } from 'sequelize';
import { Delivery, type DeliveryState } from '../models/delivery.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import type { Ctx, TxCtx } from '../context/context.ts';
import type { Reason } from '../ledger/reasons.ts';

/*
 * An outgoing delivery is a row and the row is the queue:
 *
 *   held ---- undo ----> cancelled
 *    |
 *    v  time is up
 *   queued <--- 4xx, network, crash: next_attempt_at
 *    |  claim: attempts + 1, next_attempt_at and lease_until are written before anything is tried
 *    +--> stored (in a mailbox of this host) | relayed (the remote server has it)
 *         | bounced (reported to the sender)
 *
 * When a worker dies, its lease runs out and the next time comes. No row is ever deleted.
 */

/** How long a claim holds; a worker renews it while it works. */
export const leaseMs = 30_000;

const open: DeliveryState[] = ['held', 'queued'];

/** The worst state first: a sent message shows the worst state among its recipients. */
const worstFirst: DeliveryState[] = ['bounced', 'queued', 'held', 'relayed', 'stored', 'cancelled'];

/**
 * Whether to find also deliveries that a worker claimed and did not end before its claim ran out.
 */
interface Claims {
  expired: boolean;
}

/** A delivery that is due, or null. Does not claim it. */
export async function findDue(ctx: Ctx, id: string, claims: Claims, now = new Date()): Promise<Delivery | null> {
  return await Delivery.findOne({ where: { id, ...due(now, claims) }, transaction: ctx.tx });
}

/**
 * Claims a due delivery for one attempt; null when it is not due, or another worker has it. The
 * attempt and the time of the next one are committed before this returns, so a worker that crashes
 * again and again can't flood a remote server.
 */
export async function claimDelivery(ctx: Ctx, id: string, now = new Date()): Promise<Delivery | null> {
  const row = await findDue(ctx, id, { expired: true }, now);
  if (!row) return null;
  const attempts = row.attempts + 1;
  const claimed = {
    state: 'queued' as const,
    attempts,
    leaseUntil: new Date(now.getTime() + leaseMs),
    nextAttemptAt: nextAttempt(ctx, attempts, now),
  };
  // The number of attempts is compared too, so that of two workers that read the same row one
  // claims it
  const [taken] = await Delivery.update(claimed, {
    where: { id, attempts: row.attempts, ...due(now) },
    transaction: ctx.tx,
  });
  if (taken === 0) return null;
  if (row.state === 'held' && row.entryId) await showAsQueued(ctx, row.entryId);
  return row.set(claimed);
}

/** Extends a claim while its work goes on. False when the claim was lost. */
export async function renewLease(ctx: Ctx, delivery: Delivery, now = new Date()): Promise<boolean> {
  const [renewed] = await Delivery.update(
    { leaseUntil: new Date(now.getTime() + leaseMs) },
    { where: { id: delivery.id, state: 'queued', attempts: delivery.attempts }, transaction: ctx.tx },
  );
  return renewed === 1;
}

/** Deliveries that are due and not claimed, the longest due first. The sweep works on them. */
export async function dueDeliveries(
  ctx: Ctx,
  claims: Claims,
  { limit = 500, now = new Date() } = {},
): Promise<Delivery[]> {
  return await Delivery.findAll({
    where: due(now, claims),
    order: [['nextAttemptAt', 'ASC']],
    limit,
    transaction: ctx.tx,
  });
}

/** The result of an attempt, as it is recorded. */
export interface Settlement {
  reason: Reason;
  lastReply: string | null;
  remoteHost: string | null;
}

/**
 * Ends a delivery. False when it had ended already; then nothing is written. Any worker may say
 * that the message arrived, but only the worker that holds the claim may say that it can't.
 */
export async function endDelivery(
  ctx: TxCtx,
  delivery: Delivery,
  state: 'stored' | 'relayed' | 'bounced',
  settlement: Settlement,
): Promise<boolean> {
  const claim = state === 'bounced' ? { attempts: delivery.attempts } : {};
  return await settle(ctx, delivery, { ...settlement, state, leaseUntil: null, nextAttemptAt: null }, claim);
}

/**
 * Gives a claim back until the next time, which the claim has already written, or `at`. False when
 * the claim was lost meanwhile; then nothing is written, and the worker that has it now goes on
 * undisturbed.
 */
export async function deferDelivery(
  ctx: TxCtx,
  delivery: Delivery,
  settlement: Settlement,
  at: Date | null = delivery.nextAttemptAt,
): Promise<boolean> {
  const change = { ...settlement, state: 'queued' as const, leaseUntil: null, nextAttemptAt: at };
  return await settle(ctx, delivery, change, { attempts: delivery.attempts });
}

/** Gives back a claim that did not become an attempt, and sets another time. */
export async function postponeDelivery(ctx: Ctx, delivery: Delivery, reason: Reason, at: Date): Promise<void> {
  await Delivery.update(
    { attempts: delivery.attempts - 1, leaseUntil: null, nextAttemptAt: at, reason },
    { where: { id: delivery.id, state: 'queued', attempts: delivery.attempts }, transaction: ctx.tx },
  );
}

/** Says whether the schedule has no further attempt for a delivery. */
export function isLastAttempt(ctx: Ctx, delivery: Delivery): boolean {
  return delivery.attempts > ctx.app.config.retryScheduleSeconds.length;
}

async function settle(
  ctx: TxCtx,
  delivery: Delivery,
  change: Partial<InferAttributes<Delivery>> & { state: DeliveryState },
  claim: { attempts?: number },
): Promise<boolean> {
  // The entry's row is locked first: two deliveries that end at the same time would each overlook
  // the other
  const entry = delivery.entryId
    ? await MailboxEntry.findByPk(delivery.entryId, { lock: true, transaction: ctx.tx })
    : null;
  const [changed] = await Delivery.update(change, {
    where: { id: delivery.id, state: { [Op.in]: open }, ...claim },
    transaction: ctx.tx,
  });
  if (changed === 1 && entry) await rollUp(ctx, entry);
  return changed === 1;
}

async function rollUp(ctx: TxCtx, entry: MailboxEntry): Promise<void> {
  const rows = await Delivery.findAll({
    attributes: ['state'],
    where: { messageId: entry.messageId, direction: 'out', entryId: entry.id },
    lock: ctx.tx.LOCK.SHARE,
    transaction: ctx.tx,
  });
  const states = new Set(rows.map(({ state }) => state));
  const deliveryState = worstFirst.find((state) => states.has(state)) ?? null;
  if (deliveryState !== entry.deliveryState) await entry.update({ deliveryState }, { transaction: ctx.tx });
}

async function showAsQueued(ctx: Ctx, entryId: string): Promise<void> {
  await MailboxEntry.update(
    { deliveryState: 'queued' },
    { where: { id: entryId, deliveryState: 'held' }, transaction: ctx.tx },
  );
}

function due(now: Date, { expired }: Claims = { expired: true }) {
  return {
    direction: 'out' as const,
    state: { [Op.in]: open },
    nextAttemptAt: { [Op.lte]: now },
    [Op.or]: [{ leaseUntil: null }, ...(expired ? [{ leaseUntil: { [Op.lt]: now } }] : [])],
  };
}

function nextAttempt(ctx: Ctx, attempts: number, now: Date): Date {
  const schedule = ctx.app.config.retryScheduleSeconds;
  const seconds = schedule[Math.min(attempts, schedule.length) - 1] ?? 60;
  return new Date(now.getTime() + seconds * 1000);
}
