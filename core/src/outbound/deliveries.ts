import { type InferAttributes, Op } from 'sequelize';
import { Delivery, type DeliveryState } from '../models/delivery.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import type { Ctx, TxCtx } from '../runtime/context.ts';
import type { Reason } from './reasons.ts';

/*
 * An outgoing delivery is a row and the row is the queue:
 *
 *   held ---- undo ----> cancelled
 *    |
 *    v  time is up
 *   queued <--- 4xx, network, crash: next_attempt_at
 *    |  claim: attempts + 1, next_attempt_at and lease_until are written before anything is tried
 *    +--> stored (a mailbox of this host) | relayed (the remote server has it) | bounced (reported to the sender)
 *
 * A worker that dies leaves a lease that runs out and a time that comes; nobody ever deletes a row.
 */

/** How long a claim holds without being renewed; a worker renews it while it works. */
export const leaseMs = 30_000;

const open: DeliveryState[] = ['held', 'queued'];

/** The worst first: the state of a sent message is that of its unluckiest recipient. */
const worstFirst: DeliveryState[] = ['bounced', 'queued', 'held', 'relayed', 'stored', 'cancelled'];

/** Whether to find also what another worker claimed and did not end before its claim ran out. */
interface Claims {
  expired: boolean;
}

/** A delivery that could be tried now, or null. Takes nothing. */
export async function findDue(ctx: Ctx, id: string, claims: Claims, now = new Date()): Promise<Delivery | null> {
  return await Delivery.findOne({ where: { id, ...due(now, claims) }, transaction: ctx.tx });
}

/**
 * Takes a due delivery for one attempt; null when it is not due, or somebody else has it. The attempt and the time of
 * the next one are committed before this returns, so a crash in the middle can never storm a server.
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
  // The number of attempts is compared too: of two that read the same row one changes it
  const [taken] = await Delivery.update(claimed, {
    where: { id, attempts: row.attempts, ...due(now) },
    transaction: ctx.tx,
  });
  if (taken === 0) return null;
  if (row.state === 'held' && row.entryId) await showAsQueued(ctx, row.entryId);
  return row.set(claimed);
}

/** Keeps a claim for as long as the work on it goes on. False when it was lost. */
export async function renewLease(ctx: Ctx, delivery: Delivery, now = new Date()): Promise<boolean> {
  const [renewed] = await Delivery.update(
    { leaseUntil: new Date(now.getTime() + leaseMs) },
    { where: { id: delivery.id, state: 'queued', attempts: delivery.attempts }, transaction: ctx.tx },
  );
  return renewed === 1;
}

/** Deliveries whose time has come and which nobody works on, the longest due first: what the sweep works off. */
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

/** What an attempt came to, as it is written down. */
export interface Settlement {
  reason: Reason;
  lastReply: string | null;
  remoteHost: string | null;
}

/**
 * Ends a delivery. False when it had ended already, and then nothing was written. That a message arrived is true whoever says it;
 * that it cannot is for the one to say who holds the claim.
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
 * Lets go of a delivery until its next time (already written by the claim, unless `at` says otherwise). False when the claim was
 * lost meanwhile, and then nothing was written: whoever has it now goes on undisturbed.
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

/** Undoes a claim that did not become an attempt, and sets another time. */
export async function postponeDelivery(ctx: Ctx, delivery: Delivery, reason: Reason, at: Date): Promise<void> {
  await Delivery.update(
    { attempts: delivery.attempts - 1, leaseUntil: null, nextAttemptAt: at, reason },
    { where: { id: delivery.id, state: 'queued', attempts: delivery.attempts }, transaction: ctx.tx },
  );
}

/** Whether the schedule has no further attempt for it. */
export function isLastAttempt(ctx: Ctx, delivery: Delivery): boolean {
  return delivery.attempts > ctx.app.config.retryScheduleSeconds.length;
}

async function settle(
  ctx: TxCtx,
  delivery: Delivery,
  change: Partial<InferAttributes<Delivery>> & { state: DeliveryState },
  claim: { attempts?: number },
): Promise<boolean> {
  // The entry's row is locked first: two recipients that settle at once would each overlook the other
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
