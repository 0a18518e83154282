import { invalid } from '../errors.ts';
import { deliverMessage } from '../jobs/deliver-message.ts';
import { causeOf, enqueueAll } from '../jobs/enqueue.ts';
import { normaliseAddress } from '../mail/addresses.ts';
import { completeHeaders, headerDate } from '../mail/complete-headers.ts';
import { newMailId } from '../mail/mail-id.ts';
import { parseMessage } from '../mail/parse-message.ts';
import { MessageTooComplex, type ParsedMessage } from '../mail/parsed-message.ts';
import { addSentEntry } from '../mailstore/entry-rows.ts';
import { insertRows } from '../mailstore/insert-rows.ts';
import { insertMessage } from '../mailstore/message-rows.ts';
import type { DeliveryState } from '../models/delivery.ts';
import type { User } from '../models/user.ts';
import { type Ctx, inTransaction, type TxCtx } from '../runtime/context.ts';
import { log } from '../runtime/log.ts';
import type { Reason } from './reasons.ts';
import { checkFrom, checkRate, checkRecipients, checkSender, checkSize } from './submission-checks.ts';

/** A message that somebody of this host wants to send. */
export interface Submission {
  user: User;
  /** The whole message as written, RFC 5322; a Bcc header in it is removed. */
  raw: Buffer;
  door: 'web' | 'submission';
  /** The envelope; without it everybody in To, Cc and `bcc` gets the message. */
  recipients?: string[];
  /** Blind recipients; kept on the sender's own copy only. */
  bcc: string[];
  /** For how long the deliveries wait, so that the sender can take the message back (D29). */
  holdMs?: number;
  isForwarded?: boolean;
  /** What must happen if, and only if, the message is committed, such as the end of its draft; database work only. */
  alongside?: (ctx: TxCtx, submitted: Submitted) => Promise<void>;
}

/** What the sender is told once everything is committed. */
export interface Submitted {
  /** The sender's own copy, in Sent. */
  entryId: string;
  messageId: string;
  /** Stands in Received, in each log line and in the ledger. */
  mailId: string;
  undoUntil: Date | null;
}

/**
 * Takes a message for delivery: when this returns, the message, the sender's copy and one delivery a recipient are
 * committed, and whatever becomes of each recipient will stand in the ledger (D22).
 * @throws AppError when the sender may not send this, or sends too much
 */
export async function submitMessage(ctx: Ctx, source: Submission): Promise<Submitted> {
  const { app } = ctx;
  checkSize(app.config, source.raw);
  await checkSender(ctx, source.user);
  const mailId = newMailId();
  const completed = complete(ctx, source.raw, mailId);
  const parsed = await parse(completed.raw);
  checkFrom(source.user, completed.from, parsed);
  const recipients = checkRecipients(app.config, source.recipients ?? [...completed.recipients, ...source.bcc]);
  await checkRate(ctx, source.user, recipients.length);
  const bcc = hiddenRecipients(recipients, parsed, [...source.bcc, ...completed.bcc]);
  const blob = await app.blobs.put(completed.raw);

  const message = { parsed, blob, raw: completed.raw, mailId, recipients, bcc };
  const submitted = await inTransaction(ctx, (tx) => writeSubmission(tx, source, message));
  log.info('message queued', { event: 'queued', mailId, door: source.door, recipients: recipients.length });
  return submitted;
}

interface Accepted {
  parsed: ParsedMessage;
  blob: { key: string; size: number };
  raw: Buffer;
  mailId: string;
  recipients: string[];
  bcc: string[];
}

async function writeSubmission(ctx: TxCtx, source: Submission, accepted: Accepted): Promise<Submitted> {
  const { user, holdMs = 0 } = source;
  const { parsed, blob, raw, mailId, bcc } = accepted;
  const now = new Date();
  const undoUntil = holdMs > 0 ? new Date(now.getTime() + holdMs) : null;
  const message = await insertMessage(ctx, {
    parsed,
    blob,
    raw,
    mailId,
    envelopeFrom: user.email,
    traceHeaders: traceHeader(ctx, source.door, mailId, now),
    isForwarded: source.isForwarded ?? false,
  });
  const entryId = await addSentEntry(ctx, message, {
    userId: String(user.id),
    companyId: String(user.companyId),
    bccList: bcc,
    deliveryState: undoUntil ? 'held' : 'queued',
    undoUntil,
  });
  await writeDeliveries(ctx, source, { ...accepted, messageId: String(message.id), entryId, at: undoUntil ?? now });
  const submitted = { entryId, messageId: String(message.id), mailId, undoUntil };
  await source.alongside?.(ctx, submitted);
  return submitted;
}

async function writeDeliveries(
  ctx: TxCtx,
  { user, holdMs = 0 }: Submission,
  { recipients, messageId, mailId, entryId, at }: Accepted & { messageId: string; entryId: string; at: Date },
): Promise<void> {
  const now = new Date();
  const rows = recipients.map((recipient) => ({
    company_id: String(user.companyId),
    message_id: messageId,
    mail_id: mailId,
    direction: 'out',
    recipient,
    recipient_domain: recipient.slice(recipient.lastIndexOf('@') + 1),
    envelope_from: user.email,
    state: (holdMs > 0 ? 'held' : 'queued') satisfies DeliveryState,
    reason: (holdMs > 0 ? 'held_for_undo' : 'accepted') satisfies Reason,
    next_attempt_at: at,
    entry_id: entryId,
    created_at: now,
    updated_at: now,
  }));
  const ids = await insertRows(ctx, 'deliveries', rows);
  const causeId = causeOf(ctx);
  const jobs = ids.map((deliveryId) => ({ payload: { deliveryId, attempt: 1 }, causeId }));
  await enqueueAll(ctx, deliverMessage, jobs, { delayMs: holdMs });
}

function complete(ctx: Ctx, raw: Buffer, mailId: string) {
  const messageId = `<${mailId}@${ctx.app.config.hostname}>`;
  const completed = completeHeaders(raw, { date: new Date(), messageId });
  if (completed.kind === 'complete') return completed;
  throw invalid({ message: completed.text }, `The message cannot be sent: ${completed.text}.`);
}

async function parse(raw: Buffer): Promise<ParsedMessage> {
  try {
    return await parseMessage(raw);
  } catch (error) {
    if (!(error instanceof MessageTooComplex)) throw error;
    throw invalid({ message: error.reason }, 'The message cannot be sent: it has too many parts or too long a header.');
  }
}

/** Who gets the message without standing in it: shown to the sender alone (D17). */
function hiddenRecipients(recipients: string[], parsed: ParsedMessage, named: string[]): string[] {
  const visible = new Set([...parsed.to, ...parsed.cc].map(({ address }) => normaliseAddress(address)));
  const hidden = [...named, ...recipients].filter((address) => !visible.has(normaliseAddress(address)));
  return [...new Map(hidden.map((address) => [normaliseAddress(address), address])).values()];
}

/** RFC 5321 4.4: each door leaves its line; the address of the person's device stays out of it. */
function traceHeader(ctx: Ctx, door: Submission['door'], mailId: string, now: Date): string {
  const protocol = door === 'web' ? 'HTTPS' : 'ESMTPSA';
  return `Received: by ${ctx.app.config.hostname} with ${protocol} id ${mailId};\r\n\t${headerDate(now)}\r\n`;
}
