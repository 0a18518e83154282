import { deliverMessage } from '../jobs/deliver-message.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { Delivery } from '../models/delivery.ts';
import { type Ctx, type TxCtx, inTransaction } from '../context/context.ts';
import { log } from '../log.ts';
import { mailEvents } from '../metrics.ts';
import { deferDelivery, endDelivery, isLastAttempt, type Settlement } from './deliveries.ts';
import { sendReport } from './send-report.ts';

/** The result of one attempt at a delivery. */
export interface AttemptResult extends Settlement {
  kind: 'relayed' | 'refused' | 'deferred';
}

/**
 * Writes the result of an attempt and all that follows from it in one transaction: the row, the
 * state of the sender's copy, the report to the sender and the job of the next attempt. So a report
 * is sent exactly once.
 */
export async function recordAttempt(ctx: Ctx, delivery: Delivery, attempted: AttemptResult): Promise<void> {
  const isExpired = attempted.kind === 'deferred' && isLastAttempt(ctx, delivery);
  const result: AttemptResult = isExpired ? { ...attempted, kind: 'refused', reason: 'expired' } : attempted;
  const write = { relayed, refused: bounced, deferred }[result.kind];
  const event = await inTransaction(ctx, (tx) => write(tx, delivery, result));
  const { mailId, attempts } = delivery;
  const facts = { mailId, deliveryId: String(delivery.id), attempts, reason: result.reason };
  if (!event) return log.warn('an attempt ended after its delivery had been settled by another one', facts);
  mailEvents.inc({ event, reason: result.reason });
  log.info('delivery attempted', { event, ...facts, remoteHost: result.remoteHost });
}

async function relayed(ctx: TxCtx, delivery: Delivery, result: Settlement): Promise<'delivered' | null> {
  return (await endDelivery(ctx, delivery, 'relayed', settlementOf(result))) ? 'delivered' : null;
}

async function bounced(ctx: TxCtx, delivery: Delivery, result: Settlement): Promise<'bounced' | null> {
  if (!(await endDelivery(ctx, delivery, 'bounced', settlementOf(result)))) return null;
  await sendReport(ctx, delivery, { kind: 'failed', ...settlementOf(result) });
  return 'bounced';
}

async function deferred(ctx: TxCtx, delivery: Delivery, result: Settlement): Promise<'deferred' | null> {
  if (!(await deferDelivery(ctx, delivery, settlementOf(result)))) return null;
  const delayMs = Math.max(0, (delivery.nextAttemptAt?.getTime() ?? 0) - Date.now());
  const payload = { deliveryId: String(delivery.id), attempt: delivery.attempts + 1 };
  await enqueue(ctx, deliverMessage, payload, { delayMs });
  if (isDelayReportDue(ctx, delivery)) {
    await Delivery.update({ delayReportedAt: new Date() }, { where: { id: delivery.id }, transaction: ctx.tx });
    await sendReport(ctx, delivery, { kind: 'delayed', ...settlementOf(result) });
  }
  return 'deferred';
}

function isDelayReportDue(ctx: Ctx, delivery: Delivery): boolean {
  const age = Date.now() - delivery.createdAt.getTime();
  return delivery.delayReportedAt === null && age >= ctx.app.config.delayReportAfterSeconds * 1000;
}

function settlementOf({ reason, lastReply, remoteHost }: Settlement): Settlement {
  return { reason, lastReply, remoteHost };
}
