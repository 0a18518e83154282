import type { App } from '../context/app.ts';
import { type Ctx, inTransaction, systemContext, type TxCtx } from '../context/context.ts';
import { isDatabaseAway } from '../database/database-errors.ts';
import { groupWorkOf } from '../database/group-work.ts';
import { readRows } from '../database/run-sql.ts';
import { log } from '../log.ts';
import { mailEvents } from '../metrics.ts';
import { dayMs, periodOfDay, utcDayAt } from '../utc-day.ts';
import { type ClaimedDelivery, isLastAttempt, isLate, restOfScheduleMs, type Settlement } from './deliveries.ts';
import { type ReportedDelivery, sendReport } from './send-report.ts';
import { type Settled, settleDeliveries } from './settle-deliveries.ts';

/** The result of one attempt at a delivery. */
export interface AttemptResult extends Settlement {
  kind: 'relayed' | 'refused' | 'deferred' | 'cancelled';
}

/** A delivery with the result of its attempt. */
export interface Attempted {
  delivery: ClaimedDelivery;
  result: AttemptResult;
}

const states = { relayed: 'relayed', refused: 'bounced', deferred: 'queued', cancelled: 'cancelled' } as const;
const events = {
  relayed: 'delivered',
  bounced: 'bounced',
  queued: 'deferred',
  stored: 'stored',
  cancelled: 'cancelled',
} as const;

/**
 * Records the results of one transfer. A report to the sender is stored in the same transaction as
 * the rows that it reports and the state of the sender's copy, so that it is sent exactly once.
 * Results without a report share a transaction with those of other transfers. If the database
 * refuses what the remote server said, a result is recorded without it: otherwise the attempt would
 * be repeated, and the recipient would get the message again and again.
 */
export async function recordAttempts(ctx: Ctx, attempted: readonly Attempted[]): Promise<void> {
  if (attempted.length === 0) return;
  try {
    await recordAll(ctx, attempted);
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    const mailId = attempted[0]?.delivery.mailId;
    log.error('results of attempts are recorded without what the server said', { mailId, error });
    await recordAll(ctx, attempted.map(withoutWords));
  }
}

function withoutWords({ delivery, result: { kind, reason } }: Attempted): Attempted {
  return { delivery, result: { kind, reason, lastReply: null, remoteHost: null } };
}

async function recordAll(ctx: Ctx, attempted: readonly Attempted[]): Promise<void> {
  const settled = attempted.map((one) => settledBy(ctx, one));
  const isReported = ({ state, delayReportedAt }: Settled) => state === 'bounced' || delayReportedAt !== undefined;
  const reported = settled.filter(isReported);
  const others = settled.filter((one) => !isReported(one));
  // The others are recorded first. If storing a report fails, a server that has accepted a message
  // must not get it again
  if (others.length > 0) noteAll(others, await writerOf(ctx.app).add(others));
  if (reported.length > 0) noteAll(reported, await writeReported(ctx, reported));
}

/**
 * If the report can't be stored, the rows keep their place in the schedule, and the next attempt
 * tries it again. Rows that have used up the schedule and one attempt more end without a report, so
 * that they do not go on for ever.
 */
async function writeReported(ctx: Ctx, reported: readonly Settled[]): Promise<ReadonlySet<string>> {
  try {
    return await inTransaction(ctx, (tx) => settleAndReport(tx, reported));
  } catch (error) {
    const isOver = ({ delivery }: Settled) => isLastAttempt(ctx, { attempts: delivery.attempts - 1 });
    if (isDatabaseAway(error) || !reported.every(isOver)) throw error;
    const mailId = reported[0]?.delivery.mailId;
    log.error('deliveries end without a report to their sender', { mailId, error });
    return await inTransaction(ctx, (tx) => settleDeliveries(tx, reported));
  }
}

function noteAll(settled: readonly Settled[], written: ReadonlySet<string>): void {
  for (const one of settled) note(one, written.has(String(one.delivery.id)));
}

/**
 * As `recordAttempts`, in the caller's transaction and transfer by transfer. So the result of a
 * forwarded copy can depend on those of the transfers before it.
 */
export async function recordWithin(ctx: TxCtx, transfers: readonly (readonly Attempted[])[]): Promise<void> {
  for (const attempted of transfers) {
    const settled = attempted.map((one) => settledBy(ctx, one));
    const written = await settleAndReport(ctx, settled);
    ctx.tx.afterCommit(() => noteAll(settled, written));
  }
}

/**
 * Decides what a result means for the row: if the last attempt of the schedule fails, the delivery
 * ends.
 */
function settledBy(ctx: Ctx, { delivery, result }: Attempted): Settled {
  const isExpired = result.kind === 'deferred' && isLastAttempt(ctx, delivery);
  const { kind, reason, lastReply, remoteHost, tls } = isExpired
    ? { ...result, kind: 'refused' as const, reason: 'expired' as const }
    : result;
  const isDelay = kind === 'deferred' && isDelayReportDue(ctx, delivery);
  const base = { delivery, state: states[kind], reason, lastReply, remoteHost, tls };
  return isDelay ? { ...base, delayReportedAt: new Date() } : base;
}

/**
 * A forwarded copy gets no delay report, because the person who forwards has the message already.
 */
function isDelayReportDue(ctx: Ctx, delivery: ClaimedDelivery): boolean {
  return delivery.forwardedFor === null && delivery.delayReportedAt === null && isLate(ctx, delivery);
}

async function settleAndReport(ctx: TxCtx, settled: readonly Settled[]): Promise<Set<string>> {
  const written = await settleDeliveries(ctx, settled);
  const own = settled.filter(({ delivery }) => written.has(String(delivery.id)));
  await report(
    ctx,
    'failed',
    await withoutRepeated(
      ctx,
      own.filter(({ state }) => state === 'bounced'),
    ),
  );
  await report(
    ctx,
    'delayed',
    own.filter(({ delayReportedAt }) => delayReportedAt !== undefined),
  );
  return written;
}

/**
 * A person who forwards their mail hears of a failing address once a day, not with each message.
 */
async function withoutRepeated(ctx: TxCtx, settled: readonly Settled[]): Promise<Settled[]> {
  const reported: Settled[] = [];
  for (const one of settled) if (!(await isRepeated(ctx, one.delivery))) reported.push(one);
  return reported;
}

/** Whether the person has already been told today (UTC) that copies for the address fail. */
async function isRepeated(ctx: TxCtx, { id, forwardedFor, recipient }: ClaimedDelivery): Promise<boolean> {
  if (forwardedFor === null) return false;
  // The lock makes copies that fail at the same moment see each other
  await readRows(ctx, 'SELECT id FROM users WHERE email = ? FOR UPDATE', [forwardedFor]);
  const today = periodOfDay(utcDayAt(Date.now())).from;
  // A copy may fail only after the whole schedule, and the attempts themselves take time too
  const since = new Date(today.getTime() - restOfScheduleMs(ctx, 0) - dayMs);
  const rows = await readRows<{ id: string }>(
    ctx,
    `SELECT id FROM deliveries FORCE INDEX (deliveries_recipient)
      WHERE recipient_key = LOWER(?) AND created_at > ? AND updated_at >= ? AND forwarded_for = ?
        AND envelope_from <> '' AND state = 'bounced' AND id <> ?
      ORDER BY created_at DESC LIMIT 1`,
    [recipient, since, today, forwardedFor, String(id)],
  );
  return rows.length > 0;
}

async function report(ctx: TxCtx, kind: 'failed' | 'delayed', settled: readonly Settled[]): Promise<void> {
  const [first, ...more] = settled.map(
    ({ delivery, reason, lastReply, remoteHost }): ReportedDelivery => ({
      delivery,
      settlement: { reason, lastReply, remoteHost },
    }),
  );
  if (first !== undefined) await sendReport(ctx, kind, [first, ...more]);
}

/** Transfers that end at the same time are recorded in one transaction. */
const writerOf = groupWorkOf<App, readonly Settled[], ReadonlySet<string>>(
  async (app, transfers) => {
    const written = await inTransaction(systemContext(app), (tx) => settleDeliveries(tx, transfers.flat()));
    return transfers.map(() => written);
  },
  { items: 50, lanes: 2, patienceMs: 20, gatherMs: 5 },
);

function note({ delivery, state, reason, remoteHost, tls }: Settled, isWritten: boolean): void {
  const { mailId, attempts } = delivery;
  const facts = { mailId, deliveryId: String(delivery.id), attempts, reason };
  if (!isWritten) return log.warn('an attempt ended after its delivery had been settled', facts);
  const event = events[state];
  mailEvents.inc({ event, reason });
  log.info('delivery attempted', { event, ...facts, remoteHost, tls: tls?.state });
}
