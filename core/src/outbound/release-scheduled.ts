import { findUsableAccount } from '../access/usable-account.ts';
import { isOwnAddress } from '../directory/own-address.ts';
import { AppError } from '../errors.ts';
import type { Reason } from '../ledger/reasons.ts';
import { isUnreadable } from '../mail/parsed-message.ts';
import { changeEntries } from '../mailstore/change-entries.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import { Message } from '../models/message.ts';
import { User } from '../models/user.ts';
import { type Ctx, inTransaction, type TxCtx } from '../context/context.ts';
import { changeRows, readRows } from '../database/run-sql.ts';
import { log } from '../log.ts';
import { moveReminder } from './answer-reminders.ts';
import { bounceScheduled } from './bounce-scheduled.ts';
import { sendNotice, storeNotice } from './send-notice.ts';
import { consumeRecipients, isMailboxInUse, maySend } from './submission-checks.ts';
import { returnToDrafts } from './undo-send.ts';

/*
 * A scheduled message whose time has come (D48):
 *
 *   scheduled -- its sender may send it ---> in Sent, its deliveries queued
 *       |\------ too many at once ---------> scheduled, for later within the hour
 *       |\------ its sender may not -------> a draft, its deliveries cancelled with the reason
 *       \------- nor can it be a draft ----> in Sent, its deliveries bounced with the reason
 *
 * Each is released in a transaction of its own, a few in one pass, and those that become drafts are
 * worked on beside the passes. So the messages of a Monday morning hold up no other mail.
 */

/** Messages that one call releases. */
const batch = 20;
/** How long a message whose release failed waits for the next attempt. */
const retryMs = 60_000;
/** For how long the call that refuses a message has it for itself. */
const refusingMs = 600_000;

const waiting = `direction = 'out' AND state = 'held' AND reason = 'scheduled'`;

interface DueMessage {
  entryId: string | null;
  recipients: number;
}

/**
 * Takes up the work of a message that is refused: it is read and stored as a draft, which takes
 * long for a large one. Answers false when it takes no more for now.
 */
export type TakeWork = (work: () => Promise<void>) => boolean;

/**
 * Releases the messages that are scheduled for now or before.
 * @param takeWork gets the work of those that are refused; unless given, it is done here
 * @returns whether there may be more
 */
export async function releaseScheduled(ctx: Ctx, now = new Date(), takeWork?: TakeWork): Promise<boolean> {
  const due = await readRows<DueMessage>(
    ctx,
    `SELECT entry_id AS entryId, COUNT(*) AS recipients FROM deliveries FORCE INDEX (deliveries_due)
      WHERE ${waiting} AND next_attempt_at <= ? GROUP BY entry_id ORDER BY MIN(next_attempt_at) LIMIT ${batch}`,
    [now],
  );
  for (const { entryId, recipients } of due) {
    const left = await orLater(ctx, entryId, async () => {
      if (entryId !== null)
        return await releaseOne(ctx, { entryId: String(entryId), recipients: Number(recipients), now });
      await cancelOrphans(ctx, now);
      return null;
    });
    if (left === null) continue;
    const work = async () => void (await orLater(ctx, entryId, left));
    if (!takeWork) await work();
    else if (!takeWork(work)) await postpone(ctx, entryId, new Date(now.getTime() + retryMs));
  }
  return due.length === batch;
}

/** Does work with a message. If it fails, it is tried again in a minute. */
async function orLater<T>(ctx: Ctx, entryId: string | null, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    log.error('a scheduled message could not be released, and is tried again', { entryId, error });
    await postpone(ctx, entryId, new Date(Date.now() + retryMs));
    return null;
  }
}

interface Due {
  entryId: string;
  recipients: number;
  now: Date;
}

/** @returns the work that is left where the message is refused */
async function releaseOne(ctx: Ctx, { entryId, recipients, now }: Due): Promise<(() => Promise<void>) | null> {
  const entry = await MailboxEntry.findByPk(entryId, { transaction: ctx.tx });
  const message = entry && (await Message.findByPk(entry.messageId));
  const user = entry && (await User.findByPk(entry.userId));
  if (!entry || !message || !user) {
    await cancelOrphans(ctx, now, entryId);
    return null;
  }
  const refusal = await refusalOf(ctx, user, message);
  if (refusal !== null) {
    const isOwn = await claimRefusal(ctx, entryId, now);
    return isOwn ? () => refuse(ctx, { entry, message, user, refusal }) : null;
  }
  if (await inTransaction(ctx, (tx) => queueDeliveries(tx, { entryId, recipients, now })))
    log.info('scheduled message released', { event: 'queued', mailId: message.mailId, recipients });
  return null;
}

/** Says whether this call is the one that refuses a due message; no other does so meanwhile. */
async function claimRefusal(ctx: Ctx, entryId: string, now: Date): Promise<boolean> {
  const changed = await changeRows(
    ctx,
    `UPDATE deliveries SET next_attempt_at = ?, updated_at = ?
      WHERE entry_id = ? AND ${waiting} AND next_attempt_at <= ?`,
    [new Date(now.getTime() + refusingMs), new Date(), entryId, now],
  );
  return changed > 0;
}

/** Why a person may not send this message now; null when they may. */
async function refusalOf(ctx: Ctx, user: User, { fromAddress }: Message): Promise<Reason | null> {
  if (!(await isMailboxInUse(ctx, user))) return 'sender_not_in_use';
  // Barred from logging in, or with a role that is switched off: a stolen account must not go on
  if ((await findUsableAccount(ctx, user)) === null) return 'sender_may_not_send';
  if (!(await maySend(ctx, user))) return 'sender_may_not_send';
  return (await isOwnAddress(ctx, user, fromAddress)) ? null : 'sender_address_gone';
}

/** @returns whether this call queued it; another worker, or its sender, may have been sooner */
async function queueDeliveries(ctx: TxCtx, { entryId, recipients, now }: Due): Promise<boolean> {
  const entry = await MailboxEntry.findByPk(entryId, { lock: true, transaction: ctx.tx });
  if (!entry?.scheduledStatus || !entry.undoUntil) return false;
  if (entry.undoUntil > now) {
    await changeHeld(ctx, entryId, 'next_attempt_at = ?', [entry.undoUntil]);
    return false;
  }
  const from = entry.undoUntil;
  const owner = { companyId: String(entry.companyId), userId: String(entry.userId), entries: [entry] };
  const turn = await consumeRecipients(ctx, { id: String(entry.userId) }, recipients, 'send');
  if (!turn.allowed) {
    const later = new Date(now.getTime() + turn.retryAfterSeconds * 1000);
    await changeHeld(ctx, entryId, 'next_attempt_at = ?', [later]);
    await moveReminder(ctx, entryId, { from, to: later });
    await changeEntries(ctx, owner, { undoUntil: later });
    return false;
  }
  await changeHeld(ctx, entryId, `state = 'queued', reason = 'accepted', released_at = ?`, [now]);
  await moveReminder(ctx, entryId, { from, to: now });
  await changeEntries(ctx, owner, {
    scheduledStatus: false,
    sendStatus: true,
    deliveryState: 'queued',
    undoUntil: null,
    arrivedAt: now,
  });
  return true;
}

async function changeHeld(ctx: Ctx, entryId: string, set: string, values: Date[]): Promise<void> {
  await changeRows(ctx, `UPDATE deliveries SET ${set}, updated_at = ? WHERE entry_id = ? AND ${waiting}`, [
    ...values,
    new Date(),
    entryId,
  ]);
}

interface Refused {
  entry: MailboxEntry;
  message: Message;
  user: User;
  refusal: Reason;
}

async function refuse(ctx: Ctx, refused: Refused): Promise<void> {
  const { entry, message, refusal } = refused;
  const request = { userId: String(entry.userId), entryId: String(entry.id) };
  try {
    await returnToDrafts(ctx, request, { reason: refusal, alongside: (tx) => tellSender(tx, refused) });
  } catch (error) {
    // Another worker, or the sender, was sooner
    if (error instanceof AppError && error.code === 'too_late_to_undo') return;
    if (!isUnreadable(error)) throw error;
    log.error('a scheduled message can be neither sent nor edited', { mailId: message.mailId, refusal, error });
    await bounceScheduled(ctx, request.entryId, refusal);
  }
}

async function tellSender(ctx: TxCtx, { entry, message, user, refusal }: Refused): Promise<void> {
  if (user.deletedAt) return;
  const text = `Your scheduled message "${message.subject}" was not sent: ${whyNot(refusal, message)}.\n\nThe message is among your drafts.\n`;
  const companyId = String(entry.companyId);
  const notice = { companyId, to: user.email, subject: 'Your scheduled message was not sent', text };
  // Mail that is queued for a disabled mailbox bounces some days later, so this notice is stored at
  // once
  if (refusal === 'sender_not_in_use') await storeNotice(ctx, String(user.id), notice);
  else await sendNotice(ctx, notice);
}

function whyNot(refusal: Reason, { fromAddress }: Message): string {
  if (refusal === 'sender_not_in_use') return 'your mailbox was switched off at its time';
  if (refusal === 'sender_may_not_send') return 'you may no longer send mail. Ask your administrator';
  return `the address ${fromAddress} is no longer yours`;
}

/** Cancels deliveries whose sender was deleted for good: their messages no longer exist. */
async function cancelOrphans(ctx: Ctx, now: Date, entryId?: string): Promise<void> {
  const [which, values] = entryId === undefined ? ['entry_id IS NULL', []] : ['entry_id = ?', [entryId]];
  await changeRows(
    ctx,
    `UPDATE deliveries SET state = 'cancelled', reason = 'sender_not_in_use', next_attempt_at = NULL, updated_at = ?
      WHERE ${which} AND ${waiting} AND next_attempt_at <= ?`,
    [now, ...values, now],
  );
}

async function postpone(ctx: Ctx, entryId: string | null, at: Date): Promise<void> {
  if (entryId !== null) await changeHeld(ctx, String(entryId), 'next_attempt_at = ?', [at]);
}
