import { AppError, invalid } from '../errors.ts';
import { noteCorrespondents } from '../directory/correspondents.ts';
import { deliverMessage } from '../jobs/deliver-message.ts';
import { normaliseAddress } from '../mail/addresses.ts';
import { headerDate } from '../mail/complete-headers.ts';
import { newMailId } from '../mail/mail-id.ts';
import type { NamedAddress } from '../mail/mailbox-text.ts';
import type { CompletedSummary } from '../mail/message-tasks.ts';
import { type MessageSummary, MessageTooComplex, type StorableSummary } from '../mail/parsed-message.ts';
import { addSentEntry } from '../mailstore/entry-rows.ts';
import { insertMessage } from '../mailstore/message-rows.ts';
import { removeRefused } from '../mailstore/remove-blob.ts';
import { noRoomOf, requireRoom } from '../mailstore/require-room.ts';
import type { User } from '../models/user.ts';
import { type Ctx, inTransaction, type TxCtx } from '../context/context.ts';
import { log } from '../log.ts';
import { addLedgerRows } from '../ledger/add-ledger-rows.ts';
import { requireFewScheduled } from './scheduled.ts';
import {
  checkFrom,
  checkMailboxInUse,
  checkMaySend,
  checkRecipients,
  checkSize,
  countRecipients,
} from './submission-checks.ts';

/** A message that a person of this host wants to send. */
export interface Submission {
  user: User;
  /** The whole message as written (RFC 5322). A Bcc field in it is removed. */
  raw: Buffer;
  door: 'web' | 'submission';
  /** The recipients of the envelope; unless given, those in To, Cc and `bcc`. */
  recipients?: string[];
  /** Blind recipients, kept on the sender's own copy alone. */
  bcc: string[];
  /** What the sender calls recipients that don't stand in the message. */
  called?: readonly NamedAddress[];
  /** For how long the deliveries wait, so that the sender can take the message back (D29). */
  holdMs?: number;
  /** When it leaves, if its sender wants it sent later: until then it can be taken back (D48). */
  sendAt?: Date | undefined;
  isForwarded?: boolean;
  /**
   * Database work that must happen if, and only if, the message is committed, such as removing its
   * draft.
   */
  alongside?: (ctx: TxCtx, submitted: Submitted) => Promise<void>;
}

/** What the caller gets once everything is committed. */
export interface Submitted {
  /** The sender's own copy, in Sent. */
  entryId: string;
  messageId: string;
  /** Stands in Received, in log lines and in the ledger. */
  mailId: string;
  undoUntil: Date | null;
  isScheduled: boolean;
}

/**
 * Takes a message for delivery. When this returns, the message, the sender's copy and one delivery
 * for each recipient are committed, and the ledger will show what becomes of each (D22).
 * @throws AppError when the sender may not send this, sends too much, or has no room for the copy
 */
export async function submitMessage(ctx: Ctx, source: Submission): Promise<Submitted> {
  const { app } = ctx;
  checkSize(app.config, source.raw);
  await checkMailboxInUse(ctx, source.user);
  await checkMaySend(ctx, source.user);
  const mailId = newMailId();
  const { completed, summary: parsed } = await complete(ctx, source, mailId);
  await checkFrom(ctx, source.user, { from: completed.from, sender: parsed.sender });
  const recipients = checkRecipients(app.config, source.recipients ?? [...completed.recipients, ...source.bcc]);
  // A mail program tries again by itself: without room it costs neither a turn nor a stored copy
  if (source.door === 'submission') {
    await requireRoom(ctx, String(source.user.id), { bytes: completed.raw.length });
  }
  // What leaves later is counted once more when it leaves
  await countRecipients(ctx, source.user, recipients.length, source.sendAt ? 'schedule' : 'send');
  const bcc = hiddenRecipients(recipients, parsed, [...source.bcc, ...completed.bcc]);
  const { raw } = completed;
  const blob = await app.blobs.put(raw);

  const message = { parsed, blob, raw, mailId, recipients, bcc };
  const submitted = await inTransaction(ctx, (tx) => writeSubmission(tx, source, message)).catch(async (error) => {
    if (ctx.tx === undefined && noRoomOf(error) !== null) await removeRefused(ctx, blob.key);
    throw error;
  });
  log.info('message queued', { event: 'queued', mailId, door: source.door, recipients: recipients.length });
  return submitted;
}

interface Accepted {
  parsed: StorableSummary;
  blob: { key: string; size: number };
  raw: Buffer;
  mailId: string;
  recipients: string[];
  bcc: string[];
}

async function writeSubmission(ctx: TxCtx, source: Submission, accepted: Accepted): Promise<Submitted> {
  const { user, holdMs = 0, sendAt } = source;
  const { parsed, blob, raw, mailId, bcc } = accepted;
  const now = new Date();
  const undoUntil = sendAt ?? (holdMs > 0 ? new Date(now.getTime() + holdMs) : null);
  const isScheduled = sendAt !== undefined;
  if (isScheduled) await requireFewScheduled(ctx, String(user.id));
  const message = await insertMessage(ctx, {
    parsed,
    blob,
    raw,
    mailId,
    envelopeFrom: user.email,
    traceHeaders: traceHeader(ctx, source.door, mailId, sendAt ?? now),
    isForwarded: source.isForwarded ?? false,
  });
  const entryId = await addSentEntry(ctx, message, {
    userId: String(user.id),
    companyId: String(user.companyId),
    bccList: bcc,
    deliveryState: undoUntil ? 'held' : 'queued',
    undoUntil,
    isScheduled,
  });
  await writeDeliveries(ctx, source, { ...accepted, messageId: String(message.id), entryId, at: undoUntil ?? now });
  const owner = { userId: String(user.id), companyId: String(user.companyId) };
  await noteCorrespondents(ctx, owner, [{ people: peopleOf(source, accepted), at: now }]);
  const submitted = { entryId, messageId: String(message.id), mailId, undoUntil, isScheduled };
  await source.alongside?.(ctx, submitted);
  // Late: by now the draft that it was is gone
  await requireRoom(ctx, String(user.id), { storedSize: raw.length });
  return submitted;
}

async function writeDeliveries(
  ctx: TxCtx,
  { user, holdMs = 0, sendAt }: Submission,
  { recipients, messageId, mailId, entryId, at }: Accepted & { messageId: string; entryId: string; at: Date },
): Promise<void> {
  const isHeld = holdMs > 0 || sendAt !== undefined;
  const waiting = sendAt ? 'scheduled' : 'held_for_undo';
  await addLedgerRows(
    ctx,
    recipients.map((recipient) => ({
      companyId: String(user.companyId),
      messageId,
      mailId,
      direction: 'out',
      recipient,
      envelopeFrom: user.email,
      state: isHeld ? 'held' : 'queued',
      reason: isHeld ? waiting : 'accepted',
      nextAttemptAt: at,
      entryId,
    })),
  );
  // The rows are the queue. A worker that is woken before they are due learns when they will be
  ctx.tx.afterCommit(() => ctx.app.relay.wake(deliverMessage));
}

async function complete({ app }: Ctx, { raw, user, sendAt }: Submission, mailId: string): Promise<CompletedSummary> {
  const input = { date: sendAt ?? new Date(), messageId: `<${mailId}@${app.config.hostname}>` };
  try {
    const result = await app.content.complete(raw, input, `user:${user.id}`);
    if (!('kind' in result)) return result;
    const publicText = `The message cannot be sent: ${result.text}.`;
    if (result.reason === 'line_too_long') throw new AppError({ status: 422, code: 'line_too_long', publicText });
    throw invalid({ message: result.text }, publicText);
  } catch (error) {
    if (!(error instanceof MessageTooComplex)) throw error;
    throw invalid({ message: error.reason }, 'The message cannot be sent: its structure is too complex.');
  }
}

/** The recipients that don't stand in the message; only the sender sees them (D17). */
function hiddenRecipients(recipients: string[], parsed: MessageSummary, named: string[]): string[] {
  const visible = new Set([...parsed.to, ...parsed.cc].map(({ address }) => normaliseAddress(address)));
  const hidden = [...named, ...recipients].filter((address) => !visible.has(normaliseAddress(address)));
  return [...new Map(hidden.map((address) => [normaliseAddress(address), address])).values()];
}

/** The recipients, each with the name that the sender has given them. */
function peopleOf({ called = [] }: Submission, { parsed, recipients }: Accepted): NamedAddress[] {
  const named = [...parsed.to, ...parsed.cc, ...called];
  const names = new Map(named.flatMap(({ name, address }) => (name === '' ? [] : [[normaliseAddress(address), name]])));
  return recipients.map((address) => ({ address, name: names.get(normaliseAddress(address)) ?? '' }));
}

/**
 * RFC 5321 4.4: each door adds its line. The address of the person's device is left out of it.
 * The line of a scheduled message has the time at which it leaves, as its Date has: a Date that
 * is later than the first line looks forged to receivers.
 */
export function traceHeader(ctx: Ctx, door: Submission['door'], mailId: string, now: Date): string {
  const protocol = door === 'web' ? 'HTTPS' : 'ESMTPSA';
  return `Received: by ${ctx.app.config.hostname} with ${protocol} id ${mailId};\r\n\t${headerDate(now)}\r\n`;
}
