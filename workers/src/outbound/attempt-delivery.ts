import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { resolveRecipient } from '@selvage/core/directory/resolve-recipient';
import type { Delivery } from '@selvage/core/models/delivery';
import { Message } from '@selvage/core/models/message';
import { claimDelivery, leaseMs, postponeDelivery, renewLease } from '@selvage/core/outbound/deliveries';
import { deliverLocally } from '@selvage/core/outbound/deliver-locally';
import { type AttemptResult, recordAttempt } from '@selvage/core/outbound/record-attempt';
import { signOutgoing } from '@selvage/core/outbound/sign-outgoing';
import type { Ctx } from '@selvage/core/context/context';
import { isDatabaseAway } from '@selvage/core/database/database-errors';
import { log } from '@selvage/core/log';
import { outboundAttempts } from '@selvage/core/metrics';
import { sendRemotely } from './send-remotely.ts';
import type { SmtpPool } from './smtp-pool.ts';

/** How long mail waits before it looks again for a signing key that is still being made. */
const waitForKeyMs = 30_000;
const recordPauseMs = 250;

/** What an attempt works with. */
export interface Means {
  pool: SmtpPool;
  /** Ends the wait for a database that is away when the process has to stop. */
  ended: AbortSignal;
}

/**
 * One attempt at a delivery: claims it, tries, and records the result. Does nothing when it is not
 * due or another worker has it. A failure of this host defers it.
 */
export async function attemptDelivery(ctx: Ctx, deliveryId: string, { pool, ended }: Means): Promise<void> {
  const delivery = await claimDelivery(ctx, deliveryId);
  if (!delivery) return;
  const work = new AbortController();
  const lease = keepLease(ctx, delivery, work.signal);
  try {
    const result = await attempt(ctx, delivery, pool).catch((error: unknown) => ownFailure(delivery, error));
    if (result) await writeDown(ctx, delivery, { result, ended });
  } finally {
    work.abort();
    await lease;
  }
}

/**
 * Records the result of an attempt, and waits for the database if it is away. The remote server may
 * have the message already; if that were forgotten, it would be sent twice.
 */
async function writeDown(
  ctx: Ctx,
  delivery: Delivery,
  { result, ended }: { result: AttemptResult; ended: AbortSignal },
): Promise<void> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await recordAttempt(ctx, delivery, result);
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
      const { mailId } = delivery;
      if (isFirst) log.warn('result of a delivery attempt waits, the database is away', { mailId });
    }
    await wait(recordPauseMs, undefined, { signal: ended });
  }
}

/** Null when the result is recorded already. */
async function attempt(ctx: Ctx, delivery: Delivery, pool: SmtpPool): Promise<AttemptResult | null> {
  const ours = { remoteHost: ctx.app.config.hostname };
  const recipient = await resolveRecipient(ctx, delivery.recipient);
  switch (recipient.kind) {
    case 'deliver':
      await deliverLocally(ctx, delivery, recipient);
      return null;
    case 'reject':
    case 'defer': {
      const lastReply = `${ours.remoteHost}: ${recipient.code} ${recipient.enhancedCode} ${recipient.text}`;
      const kind = recipient.kind === 'reject' ? 'refused' : 'deferred';
      return { kind, reason: recipient.reason, lastReply, ...ours };
    }
    case 'relay':
      return await relay(ctx, delivery, pool);
  }
}

async function relay(ctx: Ctx, delivery: Delivery, pool: SmtpPool): Promise<AttemptResult | null> {
  const message = delivery.messageId ? await Message.findByPk(delivery.messageId) : null;
  if (!message) throw new Error('The message of a delivery is missing');
  const signed = await signOutgoing(ctx, message, await buffer(ctx.app.blobs.get(message.blobKey)));
  if (signed.kind === 'wait') {
    await postponeDelivery(ctx, delivery, 'waiting_for_key', new Date(Date.now() + waitForKeyMs));
    return null;
  }
  const { config, resolver } = ctx.app;
  const envelope = { from: delivery.envelopeFrom, to: delivery.recipient, raw: signed.bytes };
  const outcome = await sendRemotely({ config, resolver, pool }, envelope);
  outboundAttempts.inc({ result: outcome.kind });
  return {
    kind: outcome.kind === 'accepted' ? 'relayed' : outcome.kind === 'refused' ? 'refused' : 'deferred',
    reason: outcome.reason,
    lastReply: `${outcome.host}: ${outcome.reply}`.slice(0, 1000),
    remoteHost: outcome.host.slice(0, 255),
  };
}

/**
 * Renews the claim until the work is done. No other worker takes over from a slow server, and the
 * claim of a dead worker runs out soon.
 */
async function keepLease(ctx: Ctx, delivery: Delivery, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await wait(leaseMs / 3, undefined, { signal });
      await renewLease(ctx, delivery);
    } catch (error) {
      // At worst another worker takes over, and the message arrives twice rather than never
      if (!signal.aborted) log.warn('a lease could not be renewed', { mailId: delivery.mailId, error });
    }
  }
}

function ownFailure(delivery: Delivery, error: unknown): AttemptResult {
  log.error('a delivery attempt failed on this host', { mailId: delivery.mailId, deliveryId: delivery.id, error });
  return {
    kind: 'deferred',
    reason: 'internal_error',
    lastReply: '451 4.3.0 temporary failure here',
    remoteHost: null,
  };
}
