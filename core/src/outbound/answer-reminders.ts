import { findOwnAliases } from '../directory/own-address.ts';
import { requireOnEntries } from '../access/mail-permissions.ts';
import { type Ctx, inTransaction, type TxCtx } from '../context/context.ts';
import { changeRows, readRows } from '../database/run-sql.ts';
import { conflict } from '../errors.ts';
import { log } from '../log.ts';
import { isUnreadable } from '../mail/parsed-message.ts';
import { blobOf, findEntry } from '../mailstore/find-entry.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import { Message } from '../models/message.ts';
import { User } from '../models/user.ts';
import { sendNotice } from './send-notice.ts';

/*
 * A sent message whose sender waits for an answer (D62):
 *
 *   its time comes -- an answer has come, or it was deleted --> nothing
 *                 \-- neither -------------------------------> a notice in the inbox
 *
 * The notice belongs to the conversation of the message. A scheduled message that leaves late has
 * its reminder until then, and takes it along (`moveReminder`).
 */

/** Messages that one person may wait for answers to. */
export const mostReminders = 200;
/** Reminders that one pass reads before it looks again. */
const batch = 50;
/** The form of the message ids that a notice of the host may refer to (RFC 5322 3.6.4). */
const idForm = /^<[^<>\s\p{Cc}]{1,995}>$/u;
/** How long a reminder that failed waits for the next attempt. */
const retryMs = 60_000;

interface Reminder {
  userId: string;
  entryId: string;
  /** Null removes the reminder. */
  at: Date | null;
}

/**
 * Reminds the sender of a message at a time, unless an answer has come by then.
 * @throws AppError notFound when it belongs to another person, or is deleted; 403 when the actor
 *   may not change what is in its folder; 409 when it was not sent by this person, or when they
 *   wait for too many answers
 */
export async function setReminder(ctx: Ctx, { userId, entryId, at }: Reminder): Promise<void> {
  const { entry } = await findEntry(ctx, { userId, entryId });
  requireOnEntries(ctx, [entry], 'edit');
  if (at === null) {
    await changeRows(ctx, 'DELETE FROM answer_reminders WHERE entry_id = ?', [entryId]);
    return;
  }
  if (!entry.sendStatus) throw conflict('You can only be reminded of a message that you have sent.', 'not_sent_by_you');
  await addReminder(ctx, { userId, entryId, at });
}

/**
 * As `setReminder`, for a message that its sender has just written.
 * @throws AppError 409 when they wait for too many answers
 */
export async function addReminder(ctx: Ctx, { userId, entryId, at }: Reminder & { at: Date }): Promise<void> {
  const rows = await readRows<{ entryId: string }>(
    ctx,
    'SELECT entry_id AS entryId FROM answer_reminders WHERE user_id = ? AND entry_id <> ?',
    [userId, entryId],
  );
  if (rows.length >= mostReminders) {
    const text = `You have ${mostReminders} reminders already. Remove one first.`;
    throw conflict(text, 'too_many_reminders');
  }
  await changeRows(
    ctx,
    `INSERT INTO answer_reminders (entry_id, user_id, due_at) VALUES (?, ?, ?)
     ON DUPLICATE KEY UPDATE due_at = VALUES(due_at)`,
    [entryId, userId, at],
  );
}

/** Removes the reminder of a message that did not leave. */
export async function dropReminder(ctx: TxCtx, entryId: string): Promise<void> {
  await changeRows(ctx, 'DELETE FROM answer_reminders WHERE entry_id = ?', [entryId]);
}

/**
 * Moves the reminder of a message that leaves at another time. A reminder that would come before
 * the message leaves keeps its distance from that time.
 */
export async function moveReminder(ctx: TxCtx, entryId: string, { from, to }: { from: Date; to: Date }): Promise<void> {
  const rows = await readRows<{ dueAt: Date }>(ctx, 'SELECT due_at AS dueAt FROM answer_reminders WHERE entry_id = ?', [
    entryId,
  ]);
  const [dueAt] = rows.map((row) => new Date(row.dueAt));
  if (dueAt === undefined || dueAt.getTime() > to.getTime()) return;
  const later = new Date(to.getTime() + Math.max(0, dueAt.getTime() - from.getTime()));
  await changeRows(ctx, 'UPDATE answer_reminders SET due_at = ? WHERE entry_id = ?', [later, entryId]);
}

/**
 * Sends the due reminders of messages that have left.
 * @returns how many notices were sent
 */
export async function remindSenders(ctx: Ctx, signal?: AbortSignal, now = new Date()): Promise<number> {
  let told = 0;
  for (;;) {
    const due = await readRows<{ entryId: string }>(
      ctx,
      `SELECT r.entry_id AS entryId FROM answer_reminders r
         JOIN mailbox_entries e ON e.id = r.entry_id AND e.scheduled_status = 0
        WHERE r.due_at <= ? ORDER BY r.due_at, r.entry_id LIMIT ${batch}`,
      [now],
    );
    for (const { entryId } of due) {
      signal?.throwIfAborted();
      try {
        if (await remindOf(ctx, String(entryId), now)) told += 1;
      } catch (error) {
        log.error('a sender could not be reminded, and is told later', { entryId, error });
        const later = new Date(now.getTime() + retryMs);
        // The sender may have chosen another time meanwhile
        const statement = 'UPDATE answer_reminders SET due_at = ? WHERE entry_id = ? AND due_at <= ?';
        await changeRows(ctx, statement, [later, entryId, now]);
      }
    }
    if (due.length < batch) return told;
  }
}

async function remindOf(ctx: Ctx, entryId: string, now: Date): Promise<boolean> {
  const entry = await MailboxEntry.findByPk(entryId);
  const message = entry && (await Message.findByPk(entry.messageId));
  const user = entry && (await User.findByPk(entry.userId));
  const references = message ? await conversationOf(ctx, message) : [];
  return await inTransaction(ctx, async (tx) => {
    const taken = await changeRows(tx, 'DELETE FROM answer_reminders WHERE entry_id = ? AND due_at <= ?', [
      entryId,
      now,
    ]);
    // Another worker was sooner, or the sender has chosen another time
    if (taken === 0 || !entry || !message || !user || user.deletedAt !== null) return false;
    if (!isWaitedFor(entry) || (await hasAnswer(tx, user, { entry, message }))) return false;
    const [companyId, subject] = [String(entry.companyId), `No answer yet: ${message.subject || '(no subject)'}`];
    await sendNotice(tx, { companyId, to: user.email, subject, text: textFor(message), references });
    return true;
  });
}

/**
 * A notice without its conversation is better than none, so bytes that are lost, or that take too
 * much to read, are no failure.
 */
async function conversationOf(ctx: Ctx, message: Message): Promise<string[]> {
  try {
    const { references, messageIdHeader } = await ctx.app.content.summarise(blobOf(message), 'host');
    return [...references, ...(messageIdHeader === null ? [] : [messageIdHeader])].filter((id) => idForm.test(id));
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return [];
  }
}

function isWaitedFor({ sendStatus, deleteStatus, trashStatus }: MailboxEntry): boolean {
  return sendStatus && !deleteStatus && !trashStatus;
}

/**
 * Whether another person has written in the conversation since. Reports and notices have an empty
 * envelope sender. A mailing list may send the person's own message back, with another author.
 */
async function hasAnswer(
  ctx: TxCtx,
  user: User,
  { entry, message }: { entry: MailboxEntry; message: Message },
): Promise<boolean> {
  const { userId, threadKey, arrivedAt, messageId } = entry;
  const own = [user.email, ...(await findOwnAliases(ctx, String(user.id)))];
  const rows = await readRows<{ id: string }>(
    ctx,
    `SELECT e.id FROM folders f
       JOIN mailbox_entries e FORCE INDEX (entries_conversation) ON e.folder_id = f.id AND e.thread_key = ?
       JOIN messages m ON m.id = e.message_id
      WHERE f.user_id = ? AND e.received_status = 1 AND e.message_id <> ?
        AND COALESCE(e.first_arrived_at, e.arrived_at) > ? AND m.envelope_from <> ''
        AND m.from_address NOT IN (?) AND NOT m.message_id_header <=> ? LIMIT 1`,
    [threadKey, userId, messageId, arrivedAt, own, message.messageIdHeader],
  );
  return rows.length > 0;
}

function textFor({ subject, toList, ccList, sentAt }: Message): string {
  const to = [...toList, ...ccList].slice(0, 10).join(', ');
  const day = sentAt?.toISOString().slice(0, 10);
  return [
    'No answer to your message yet:',
    '',
    `  Subject: ${subject || '(no subject)'}`,
    ...(to ? [`  To: ${to}`] : []),
    ...(day ? [`  Sent: ${day}`] : []),
    '',
    'You asked to be reminded of it. The message is in Sent, and in this conversation.',
    '',
  ].join('\n');
}
