import { randomBytes } from 'node:crypto';
import { enqueue } from '../jobs/enqueue.ts';
import { deliverMessage } from '../jobs/deliver-message.ts';
import { completeHeaders } from '../mail/complete-headers.ts';
import type { ParsedMessage } from '../mail/parse-message.ts';
import { parseMessage } from '../mail/parse-message.ts';
import { insertMessage } from '../mailstore/store-message.ts';
import { Delivery } from '../models/delivery.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import type { User } from '../models/user.ts';
import { type Ctx, type TxCtx, inTransaction } from '../runtime/context.ts';
import { log } from '../runtime/log.ts';
import { checkRate, checkRecipients, checkSender, checkSize } from './submission-checks.ts';

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
  /** The entry it answers or forwards. */
  inReplyToEntryId?: string;
  isForwarded?: boolean;
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
 * committed and nothing but the ledger's own answer can become of them (D22).
 * @throws AppError when the sender may not send this, or sends too much
 */
export async function submitMessage(ctx: Ctx, source: Submission): Promise<Submitted> {
  const { app } = ctx;
  await checkSender(ctx, source.user);
  checkSize(app.config, source.raw);
  const mailId = newMailId();
  const raw = completeHeaders(source.raw, { hostname: app.config.hostname });
  const parsed = await parseMessage(raw);
  const recipients = checkRecipients(app.config, source, parsed);
  await checkRate(ctx, source.user, recipients.length);
  const blob = await app.blobs.put(raw);

  const submitted = await inTransaction(ctx, (tx) =>
    writeSubmission(tx, { source, parsed, recipients, mailId, blob }),
  );
  log.info('message queued', { event: 'queued', mailId, door: source.door, recipients: recipients.length });
  return submitted;
}

interface Accepted {
  source: Submission;
  parsed: ParsedMessage;
  recipients: string[];
  mailId: string;
  blob: { key: string; size: number };
}

async function writeSubmission(ctx: TxCtx, { source, parsed, recipients, mailId, blob }: Accepted): Promise<Submitted> {
  const { user, holdMs = 0 } = source;
  const now = new Date();
  const undoUntil = holdMs > 0 ? new Date(now.getTime() + holdMs) : null;
  const message = await insertMessage(ctx, {
    parsed,
    blob,
    mailId,
    envelopeFrom: user.email,
    traceHeaders: traceHeader(ctx, source.door, mailId, now),
    isForwarded: source.isForwarded ?? false,
  });
  const entry = await MailboxEntry.create({} as never, { transaction: ctx.tx });
  for (const recipient of recipients) {
    const delivery = await Delivery.create(
      {
        companyId: user.companyId,
        messageId: message.id,
        mailId,
        direction: 'out',
        recipient,
        recipientDomain: recipient.slice(recipient.lastIndexOf('@') + 1),
        envelopeFrom: user.email,
        state: undoUntil ? 'held' : 'queued',
        reason: undoUntil ? 'held_for_undo' : 'accepted',
        nextAttemptAt: undoUntil ?? now,
        entryId: String(entry.id),
      },
      { transaction: ctx.tx },
    );
    await enqueue(ctx, deliverMessage, { deliveryId: String(delivery.id), attempt: 1 }, { delayMs: holdMs });
  }
  return { entryId: String(entry.id), messageId: String(message.id), mailId, undoUntil };
}

/** RFC 5321 4.4: each door leaves its line; the address of the person's device stays out of it. */
function traceHeader(ctx: Ctx, door: Submission['door'], mailId: string, now: Date): string {
  const protocol = door === 'web' ? 'HTTPS' : 'ESMTPSA';
  const date = now.toUTCString().replace('GMT', '+0000');
  return `Received: by ${ctx.app.config.hostname} with ${protocol} id ${mailId};\r\n\t${date}\r\n`;
}

function newMailId(): string {
  return Date.now().toString(36) + randomBytes(8).toString('hex');
}
