import { conflict, notFound } from '../errors.ts';
import { deliverMessage } from '../jobs/deliver-message.ts';
import { redate } from '../mail/redate.ts';
import { ensureBlob } from '../mailstore/blob-references.ts';
import { changeEntries } from '../mailstore/change-entries.ts';
import { readBlob } from '../mailstore/read-blob.ts';
import { removeUnneededBlob } from '../mailstore/remove-blob.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import { Message } from '../models/message.ts';
import { type Ctx, inTransaction, turnOf, type TxCtx } from '../context/context.ts';
import { changeRows } from '../database/run-sql.ts';
import { log } from '../log.ts';
import { callPatience } from '../memory-budget.ts';
import { moveReminder } from './answer-reminders.ts';
import { isOnItsWay } from './on-its-way.ts';
import { traceHeader } from './write-submissions.ts';

/** A scheduled message of a person, and its new time. */
export interface NewTime {
  userId: string;
  entryId: string;
  sendAt: Date;
}

/**
 * Gives a scheduled message another time, which may be now (D48). The Date field holds the time at
 * which the message leaves, so the message gets new bytes.
 * @throws AppError 404 when there is no such scheduled message, 409 when its time has come
 */
export async function reschedule(ctx: Ctx, { userId, entryId, sendAt }: NewTime): Promise<void> {
  const entry = await MailboxEntry.findOne({ where: { id: entryId, userId, scheduledStatus: true } });
  if (!entry) throw notFound('message');
  if (await isOnItsWay(ctx, entry)) throw leaving();
  const message = await Message.findByPk(entry.messageId);
  if (!message) throw notFound('message');
  const redateIt = () => redateMessage(ctx, message, { entryId, sendAt });
  await ctx.app.memory.run(turnOf(ctx), Number(message.size) * 2, redateIt, callPatience());
}

async function redateMessage(ctx: Ctx, message: Message, { entryId, sendAt }: Omit<NewTime, 'userId'>): Promise<void> {
  const raw = redate(await readBlob(ctx.app.blobs, message.blobKey), sendAt);
  const blob = await ctx.app.blobs.put(raw);
  let before: string;
  try {
    before = await inTransaction(ctx, (tx) => writeTime(tx, entryId, { blobKey: blob.key, raw, sendAt }));
  } catch (error) {
    await removeUnneededBlob(ctx, blob.key);
    throw error;
  }
  if (before !== blob.key) await removeUnneededBlob(ctx, before);
  log.info('message rescheduled', { event: 'held', mailId: message.mailId, sendAt });
}

/** @returns the blob key of the earlier bytes */
async function writeTime(
  ctx: TxCtx,
  entryId: string,
  { blobKey, raw, sendAt }: { blobKey: string; raw: Buffer; sendAt: Date },
): Promise<string> {
  const entry = await MailboxEntry.findByPk(entryId, { lock: true, transaction: ctx.tx });
  if (!entry?.scheduledStatus || (await isOnItsWay(ctx, entry))) throw leaving();
  const message = await Message.findByPk(entry.messageId, { lock: true, transaction: ctx.tx });
  if (!message) throw notFound('message');
  const before = message.blobKey;
  const traceHeaders = traceHeader(ctx, 'web', message.mailId, sendAt);
  await message.update({ blobKey, traceHeaders, sentAt: sendAt }, { transaction: ctx.tx });
  await ensureBlob(ctx, blobKey, raw);
  // A message that a restore holds back has no time, and gets one from the operator
  await changeRows(
    ctx,
    `UPDATE deliveries SET next_attempt_at = IF(next_attempt_at IS NULL, NULL, ?), updated_at = ?
      WHERE entry_id = ? AND direction = 'out' AND state = 'held'`,
    [sendAt, new Date(), entryId],
  );
  if (entry.undoUntil) await moveReminder(ctx, entryId, { from: entry.undoUntil, to: sendAt });
  const owner = { companyId: String(entry.companyId), userId: String(entry.userId) };
  await changeEntries(ctx, { ...owner, entries: [entry] }, { undoUntil: sendAt });
  ctx.tx.afterCommit(() => ctx.app.relay.wake(deliverMessage));
  return before;
}

function leaving() {
  return conflict('Too late to change: the message is on its way.', 'too_late_to_undo');
}
