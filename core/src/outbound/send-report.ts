import { randomBytes } from 'node:crypto';
import { findAddress } from '../directory/find-addresses.ts';
import { resolveRecipient } from '../directory/resolve-recipient.ts';
import { composeReport } from '../mail/compose-report.ts';
import type { LocalRecipient } from '../mailstore/entry-rows.ts';
import { readBeginning } from '../mailstore/read-blob.ts';
import { storeInbound } from '../mailstore/store-message.ts';
import { Message } from '../models/message.ts';
import type { Ctx, TxCtx } from '../context/context.ts';
import { log } from '../log.ts';
import { type ClaimedDelivery, nextAttemptOf, restOfScheduleMs, type Settlement, underWaySince } from './deliveries.ts';
import { explain } from './explain-reason.ts';

/** One delivery of a report, with the result of its last attempt. */
export interface ReportedDelivery {
  delivery: ClaimedDelivery;
  settlement: Settlement;
}

/**
 * Reports to the sender of a message what became of it for some of its recipients (RFC 3464), in
 * the transaction that records this. No report is sent for a message with the null sender, such as
 * a report: otherwise reports about reports would never end.
 */
export async function sendReport(
  ctx: TxCtx,
  kind: 'failed' | 'delayed',
  reported: readonly [ReportedDelivery, ...ReportedDelivery[]],
): Promise<void> {
  const [{ delivery, settlement }] = reported;
  const { envelopeFrom, mailId } = delivery;
  // RFC 5321 4.5.5
  if (envelopeFrom === '') return;
  const sender = await findSender(ctx, envelopeFrom);
  if (sender === null) {
    log.info('no report is sent, the sender has no mailbox here', { mailId, reason: settlement.reason });
    return;
  }
  const hostname = ctx.app.config.hostname;
  const reportId = Date.now().toString(36) + randomBytes(8).toString('hex');
  const raw = await writeReport(ctx, kind, reported, `<${reportId}@${hostname}>`);
  await storeInbound(ctx, {
    raw,
    envelopeFrom: '',
    recipients: [sender],
    client: { address: '', helo: hostname, tls: false },
    authentication: null,
    traceHeaders: 'Return-Path: <>\r\n',
    mailId: reportId,
    isOwn: true,
  });
  const facts = { kind, reason: settlement.reason, recipients: reported.length };
  log.info('sender told', { event: 'reported', mailId, reportId, ...facts });
}

/**
 * The person that a report goes to; null when the mailbox no longer exists. A disabled mailbox gets
 * the report as well: it is made only once, and such a mailbox loses no mail (D7).
 */
async function findSender(ctx: Ctx, address: string): Promise<LocalRecipient | null> {
  const sender = await resolveRecipient(ctx, address);
  if (sender.kind === 'deliver') return { userId: sender.userId, companyId: sender.companyId, address: sender.address };
  if (sender.kind !== 'defer') return null;
  const row = await findAddress(ctx, { address, plain: address });
  if (!row || row.userId === null) return null;
  return { userId: String(row.userId), companyId: String(row.companyId), address };
}

async function writeReport(
  ctx: TxCtx,
  kind: 'failed' | 'delayed',
  reported: readonly [ReportedDelivery, ...ReportedDelivery[]],
  messageId: string,
): Promise<Buffer> {
  const [{ delivery }] = reported;
  const message = delivery.messageId ? await Message.findByPk(delivery.messageId, { transaction: ctx.tx }) : null;
  return composeReport({
    kind,
    isForwarding: delivery.forwardedFor !== null,
    hostname: ctx.app.config.hostname,
    to: delivery.envelopeFrom,
    recipients: reported.map(({ delivery: one, settlement }) => ({
      address: one.recipient,
      status: statusOf(wordsOf(settlement)),
      lastReply: wordsOf(settlement),
      remoteHost: settlement.remoteHost,
      retryUntil: kind === 'delayed' ? retryUntil(ctx, one) : null,
      explanation: explain(settlement.reason),
    })),
    subject: message?.subject ?? '',
    original: message ? await readHeader(ctx, message) : Buffer.alloc(0),
    arrivedAt: underWaySince(delivery),
    date: new Date(),
    messageId,
    originalMessageId: message?.messageIdHeader ?? null,
  });
}

/** The enhanced code after the code of a reply, such as 5.1.1 (RFC 2034). */
function statusOf(reply: string | null): string | null {
  return reply?.match(/^[245]\d\d[ -]([245]\.\d{1,3}\.\d{1,3})(?!\S)/)?.[1] ?? null;
}

/** The ledger keeps "host: reply" in one column; a report has a field for each. */
function wordsOf({ lastReply, remoteHost }: Settlement): string | null {
  const prefix = `${remoteHost ?? ''}: `;
  return lastReply?.startsWith(prefix) ? lastReply.slice(prefix.length) : lastReply;
}

function retryUntil(ctx: Ctx, delivery: ClaimedDelivery): Date {
  return new Date(nextAttemptOf(ctx, delivery).getTime() + restOfScheduleMs(ctx, delivery.attempts));
}

const headerBytes = 65_536;

/** The bytes may be lost. A report without the header is better than none. */
async function readHeader(ctx: Ctx, message: Message): Promise<Buffer> {
  try {
    return await readBeginning(ctx.app.blobs, message.blobKey, headerBytes);
  } catch (error) {
    log.error('a report leaves without the header of its message', { mailId: message.mailId, error });
    return Buffer.alloc(0);
  }
}
