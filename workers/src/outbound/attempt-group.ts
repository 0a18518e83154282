import { setTimeout as wait } from 'node:timers/promises';
import { isProofAwaited } from '@selvage/core/directory/find-addresses';
import { hasLeft, resolveRecipient } from '@selvage/core/directory/resolve-recipient';
import type { DeliveryGroup, OutgoingMessage } from '@selvage/core/outbound/claim-deliveries';
import { type ClaimedDelivery, isLate, nextAttemptOf } from '@selvage/core/outbound/deliveries';
import { deliverLocally, type FullDelivery, type LocalDelivery } from '@selvage/core/outbound/deliver-locally';
import { checkForwarding } from '@selvage/core/outbound/forwarded-copy';
import { reasonForSender } from '@selvage/core/outbound/reason-for-sender';
import { type AttemptResult, type Attempted, recordAttempts } from '@selvage/core/outbound/record-attempt';
import { postponeDeliveries } from '@selvage/core/outbound/settle-deliveries';
import type { Reason } from '@selvage/core/ledger/reasons';
import type { Ctx } from '@selvage/core/context/context';
import { isDatabaseAway } from '@selvage/core/database/database-errors';
import { AppError } from '@selvage/core/errors';
import { log } from '@selvage/core/log';
import { domainOf } from '@selvage/core/mail/address-rules';
import { largeMessage, type MemoryShare } from '@selvage/core/memory-budget';
import { outboundAttempts } from '@selvage/core/metrics';
import { leavingForms } from './leaving-forms.ts';
import { type Outcome, TransferCut } from './outcome.ts';
import type { OwnIpv6 } from './own-ipv6.ts';
import { type Sent, sendRemotely } from './send-remotely.ts';
import type { SmtpPool } from './smtp-pool.ts';
import type { StsPolicies } from './sts-policies.ts';

/** How long a delivery is postponed while the signing key of its domain is still being made. */
const keyPauseMs = 30_000;
const recordPauseMs = 250;
/** How long a delivery is postponed that found no memory for its message. */
const memoryPauseMs = 60_000;
/**
 * An attempt that takes longer counts like one that reached no server, whatever the server said in
 * the end: it occupied a transfer for as long.
 */
const slowMs = 120_000;
/** Reasons of an attempt in which no server of the domain answered. */
const unreached: ReadonlySet<Reason> = new Set(['timeout', 'connection_failed', 'dns_failure', 'no_mail_host']);

/** What an attempt needs of the process. */
export interface Means {
  pool: SmtpPool;
  policies: StsPolicies;
  ownIpv6: OwnIpv6;
  /**
   * Aborted when the process has to stop. Ends the waits for memory and for a database that is
   * away.
   */
  ended: AbortSignal;
  /** How long a group may keep its transfer while it waits for memory. */
  memoryPatienceMs: number;
  /** Called with each batch of results: whether a server of the domain answered, and in time. */
  onReach: (isReached: boolean) => void;
}

/**
 * Makes one attempt at each delivery of a claimed group and records the results. A failure of this
 * host defers the deliveries that have no result yet. If the process ends before they have one,
 * they go back to the queue, and the attempt does not count.
 */
export async function attemptGroup(ctx: Ctx, group: DeliveryGroup, means: Means): Promise<void> {
  const open = new Set(group.deliveries);
  const record = async (attempted: readonly Attempted[]): Promise<void> => {
    // Before the write: if it fails, the `catch` below must not record another result for them
    for (const { delivery } of attempted) open.delete(delivery);
    await writeDown(ctx, attempted, means.ended);
  };
  try {
    const { message } = group;
    if (!message) throw new Error('The message of a delivery is missing');
    if (!(await checkCopy(ctx, group))) {
      return await record(group.deliveries.map((delivery) => ({ delivery, result: cancelled('forwarding_ended') })));
    }
    const elsewhere = group.isElsewhere ? group.deliveries : await deliverHere(ctx, group, { message, record });
    if (elsewhere.length > 0) await inMemory(ctx, { ...group, message, deliveries: elsewhere }, { means, record });
  } catch (error) {
    if (open.size === 0) throw error;
    if (means.ended.aborted) return await giveBack(ctx, [...open], error);
    await record([...open].map((delivery) => ({ delivery, result: ownFailure(delivery, error) })));
  }
}

/**
 * Gives the claims back, since this process ends. Another worker may claim the deliveries at once,
 * and none of their attempts is used up. Where a server may have taken the message, the next
 * attempt keeps its time, since a server that is slow to answer would get the message again and
 * again while this host restarts.
 */
async function giveBack(ctx: Ctx, deliveries: readonly ClaimedDelivery[], error: unknown): Promise<void> {
  const isKept = error instanceof TransferCut && error.mayHaveArrived;
  const times = deliveries.map((delivery) => nextAttemptOf(ctx, delivery).getTime());
  const at = new Date(isKept ? Math.min(...times) : Date.now());
  const mailId = deliveries[0]?.mailId;
  log.info('deliveries are left to another worker, this one ends', { event: 'postponed', mailId, at, error });
  await postponeDeliveries(ctx, deliveries, { at });
}

/** A group whose message exists. */
type RelayedGroup = DeliveryGroup & { message: OutgoingMessage };

/**
 * Runs a transfer once the process has memory for its message. Deliveries that have to wait too
 * long for it are put off, so that their transfer is free for others.
 */
async function inMemory(
  ctx: Ctx,
  group: RelayedGroup,
  { means, record }: { means: Means; record: RecordResults },
): Promise<void> {
  const { message, deliveries } = group;
  const share = await memoryFor(ctx, group, means);
  if (share === null) return await putOff(ctx, group, record);
  try {
    await relay(ctx, { message, deliveries, record }, means);
  } finally {
    share.release();
  }
}

/**
 * Puts off deliveries that found no memory for their message. This uses up an attempt only when
 * they are late: their senders are then told of the delay, and the retry schedule ends them.
 */
async function putOff(ctx: Ctx, { message, deliveries }: RelayedGroup, record: RecordResults): Promise<void> {
  const late = deliveries.filter((delivery) => isLate(ctx, delivery));
  if (late.length > 0) await record(late.map((delivery) => ({ delivery, result: noMemory })));
  const others = deliveries.filter((delivery) => !late.includes(delivery));
  if (others.length === 0) return;
  const at = new Date(Date.now() + memoryPauseMs);
  log.info('deliveries wait for memory', { event: 'postponed', mailId: message.mailId, at });
  await postponeDeliveries(ctx, others, { at });
}

/**
 * Memory for a message, or null when there is none for now. The signed form is held until the
 * transfer ends. The stored form goes when the message is signed, and the form for a server without
 * 8BITMIME, which is rare, is not counted. The memory budget serves domains in turn, and a domain
 * with slow servers gets only its share.
 */
async function memoryFor(
  { app }: Ctx,
  { lane, message: { size } }: RelayedGroup,
  { ended, memoryPatienceMs }: Means,
): Promise<MemoryShare | null> {
  const patience = AbortSignal.timeout(memoryPatienceMs);
  const isLarge = size > largeMessage;
  const source = `${isLarge ? 'large to' : 'domain'}:${lane}`;
  try {
    return await app.memory.wait(source, size, AbortSignal.any([ended, patience]), isLarge);
  } catch (error) {
    const isNoRoom = patience.aborted || (error instanceof AppError && error.status === 503);
    if (ended.aborted || !isNoRoom) throw error;
    return null;
  }
}

/** Records the results of attempts. */
type RecordResults = (attempted: readonly Attempted[]) => Promise<void>;

/**
 * Delivers to mailboxes of this host.
 * @returns the deliveries whose recipients are on other hosts
 */
async function deliverHere(
  ctx: Ctx,
  { deliveries }: DeliveryGroup,
  { message, record }: { message: OutgoingMessage; record: RecordResults },
): Promise<ClaimedDelivery[]> {
  const remoteHost = ctx.app.config.hostname;
  const local: LocalDelivery[] = [];
  const ended: Attempted[] = [];
  const elsewhere: ClaimedDelivery[] = [];
  for (const delivery of deliveries) {
    const recipient = await resolveRecipient(ctx, delivery.recipient);
    if (recipient.kind === 'deliver') local.push({ delivery, recipients: [recipient] });
    else if (recipient.kind === 'group') local.push({ delivery, recipients: recipient.members });
    else if (recipient.kind === 'relay' || hasLeft(recipient)) elsewhere.push(delivery);
    else {
      const lastReply = `${remoteHost}: ${recipient.code} ${recipient.enhancedCode} ${recipient.text}`;
      const kind = recipient.kind === 'reject' ? 'refused' : 'deferred';
      const reason = await reasonForSender(ctx, delivery, recipient);
      ended.push({ delivery, result: { kind, reason, lastReply, remoteHost } });
    }
  }
  const full = await deliverToPeople(ctx, message, local);
  ended.push(...full.map((one) => ({ delivery: one.local.delivery, result: withoutRoom(one, remoteHost) })));
  if (ended.length > 0) await record(ended);
  return elsewhere;
}

/** A message that is larger than a whole mailbox is refused at once, as at the door (D36). */
function withoutRoom({ place }: FullDelivery, remoteHost: string): AttemptResult {
  if (place !== 'never')
    return {
      kind: 'deferred',
      reason: 'mailbox_full',
      lastReply: `${remoteHost}: 452 4.2.2 The mailbox is full`,
      remoteHost,
    };
  const lastReply = `${remoteHost}: 552 5.2.3 The message is larger than the mailbox may hold`;
  return { kind: 'refused', reason: 'message_too_large', lastReply, remoteHost };
}

/** @returns the deliveries to mailboxes without room for the message */
async function deliverToPeople(
  ctx: Ctx,
  message: OutgoingMessage,
  local: readonly LocalDelivery[],
): Promise<FullDelivery[]> {
  const mailboxes = local.filter(({ recipients }) => recipients.length === 1);
  const full = mailboxes.length > 0 ? await deliverLocally(ctx, message, mailboxes) : [];
  for (const one of local) {
    // In a database transaction of its own, since one group can have hundreds of people
    if (one.recipients.length > 1) full.push(...(await deliverLocally(ctx, message, [one])));
  }
  return full;
}

async function relay(
  ctx: Ctx,
  {
    message,
    deliveries,
    record,
  }: { message: OutgoingMessage; deliveries: readonly ClaimedDelivery[]; record: RecordResults },
  { pool, policies, ownIpv6, onReach }: Means,
): Promise<void> {
  const forms = await leavingForms(ctx, message, deliveries[0]?.forwardedFor ?? null);
  if (forms.kind === 'wait') {
    const at = new Date(Date.now() + keyPauseMs);
    log.info('deliveries wait for the signing key of their domain', { event: 'postponed', mailId: message.mailId, at });
    return await postponeDeliveries(ctx, deliveries, { reason: 'waiting_for_key', at });
  }
  if (forms.kind === 'loop')
    return await record(deliveries.map((delivery) => ({ delivery, result: cancelled('forwarding_loop') })));
  if (forms.kind === 'too_complex')
    return await record(deliveries.map((delivery) => ({ delivery, result: tooComplex(ctx) })));
  const { config, resolver, redis } = ctx.app;
  const byAddress = Map.groupBy(deliveries, ({ recipient }) => recipient);
  const envelope = {
    from: deliveries[0]?.envelopeFrom ?? '',
    to: [...byAddress.keys()],
    raw: forms.raw,
    ...(forms.sevenBit && { sevenBit: forms.sevenBit }),
  };
  const startedAt = performance.now();
  const isRetry = deliveries.some(({ attempts }) => attempts > 1);
  for await (const answers of sendRemotely({ config, resolver, redis, pool, policies, ownIpv6, isRetry }, envelope)) {
    const sent = await untilProved(ctx, answers);
    // Whether a smarthost was reached says nothing about the domain's own servers
    const isInTime = performance.now() - startedAt <= slowMs;
    if (!config.outboundRelay) onReach(isInTime && sent.some(({ outcome }) => !unreached.has(outcome.reason)));
    await record(
      sent.flatMap(({ to, outcome }) => {
        outboundAttempts.inc({ result: outcome.kind });
        return (byAddress.get(to) ?? []).map((delivery) => ({ delivery, result: resultOf(outcome) }));
      }),
    );
  }
}

/**
 * Defers deliveries to a domain whose MX records point here while its owner has not proved it yet
 * (D34). Mail from this host waits for the proof as mail from other hosts does. A domain that was
 * proved while the attempt was under way has its mail at the next one.
 */
async function untilProved(ctx: Ctx, answers: Sent[]): Promise<Sent[]> {
  const [first] = answers;
  if (first?.outcome.reason !== 'loop' || !(await isProofAwaited(ctx, domainOf(first.to)))) return answers;
  const reply = '450 4.7.1 This domain is not verified here yet';
  return answers.map(({ to, outcome }) => ({
    to,
    outcome: { ...outcome, kind: 'deferred', reason: 'unproved_domain', reply },
  }));
}

/**
 * Checks that the forwarding that made this copy is still on. While the copy waits in the queue,
 * the owner of the mailbox or an administrator may end the forwarding, and the address may be given
 * to another person. In the latter case this ends the forwarding, and tells the owner of the
 * mailbox.
 * @returns whether the group may leave. One that is no copy may
 */
async function checkCopy(ctx: Ctx, { deliveries }: DeliveryGroup): Promise<boolean> {
  const [first] = deliveries;
  if (!first || first.forwardedFor === null) return true;
  return await checkForwarding(ctx, first.forwardedFor, first.recipient);
}

/**
 * Ends a forwarded copy without a bounce. Nothing is lost, since the mailbox that forwards has the
 * message.
 */
function cancelled(reason: 'forwarding_ended' | 'forwarding_loop'): AttemptResult {
  return { kind: 'cancelled', reason, lastReply: null, remoteHost: null };
}

/** Refuses the message at once, since no later attempt could sign it either. */
function tooComplex({ app }: Ctx): AttemptResult {
  const remoteHost = app.config.hostname;
  const lastReply = `${remoteHost}: 554 5.6.0 The message is too complex to be signed`;
  return { kind: 'refused', reason: 'too_complex', lastReply, remoteHost };
}

const noMemory: AttemptResult = {
  kind: 'deferred',
  reason: 'rate_limited',
  lastReply: '452 4.3.1 Too much mail at once',
  remoteHost: null,
};

function resultOf(outcome: Outcome): AttemptResult {
  return {
    kind: outcome.kind === 'accepted' ? 'relayed' : outcome.kind === 'refused' ? 'refused' : 'deferred',
    reason: outcome.reason,
    lastReply: (outcome.host === null ? outcome.reply : `${outcome.host}: ${outcome.reply}`).slice(0, 1000),
    remoteHost: outcome.host?.slice(0, 255) ?? null,
    tls: outcome.tls,
  };
}

/**
 * Records the results of attempts, and waits while the database is away. The remote server may have
 * the message already. If its result were lost, the message would be sent twice.
 */
async function writeDown(ctx: Ctx, attempted: readonly Attempted[], ended: AbortSignal): Promise<void> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await recordAttempts(ctx, attempted);
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
      const mailId = attempted[0]?.delivery.mailId;
      if (isFirst) log.warn('the database is away: the result of an attempt is recorded later', { mailId });
    }
    await wait(recordPauseMs, undefined, { signal: ended });
  }
}

function ownFailure(delivery: ClaimedDelivery, error: unknown): AttemptResult {
  log.error('a delivery attempt failed on our side', { mailId: delivery.mailId, deliveryId: delivery.id, error });
  return {
    kind: 'deferred',
    reason: 'internal_error',
    lastReply: '451 4.3.0 temporary failure here',
    remoteHost: null,
  };
}
