import { AppError, invalid } from '../errors.ts';
import { normaliseAddress } from '../mail/addresses.ts';
import { newMailId } from '../mail/mail-id.ts';
import type { CompletedSummary } from '../mail/message-tasks.ts';
import { type MessageSummary, MessageTooComplex } from '../mail/parsed-message.ts';
import { removeUnneededBlob } from '../mailstore/remove-blob.ts';
import { requireRoom } from '../mailstore/require-room.ts';
import type { App } from '../context/app.ts';
import { type Ctx, inTransaction, systemContext, type TxCtx } from '../context/context.ts';
import { isDatabaseAway, mayBeCommitted, wasRolledBack } from '../database/database-errors.ts';
import { groupWorkOf } from '../database/group-work.ts';
import { readRows } from '../database/run-sql.ts';
import { log } from '../log.ts';
import {
  checkFrom,
  checkMailboxInUse,
  checkMaySend,
  checkPeople,
  checkRecipientRate,
  checkRecipients,
  checkSize,
  giveBackRecipients,
} from './submission-checks.ts';
import type { AcceptedSubmission, Submission, Submitted } from './submission.ts';
import { writeSubmissions } from './write-submissions.ts';

/**
 * Takes a message for delivery. When this returns, the message, the sender's copy and one delivery
 * for each recipient are committed, and the ledger will show what becomes of each (D22).
 * @throws AppError when the sender may not send this, sends too much, or has no room for the copy
 */
export async function submitMessage(ctx: Ctx, source: Submission): Promise<Submitted> {
  const { app } = ctx;
  checkSize(app.config, source.raw);
  const { isUnlimited = false } = await checkMailboxInUse(ctx, source.user);
  await checkMaySend(ctx, source.user);
  const mailId = newMailId();
  const { completed, summary: parsed } = await complete(ctx, source, mailId);
  await checkFrom(ctx, source.user, { from: completed.from, sender: parsed.sender });
  const recipients = checkRecipients(app.config, source.recipients ?? [...completed.recipients, ...source.bcc]);
  await checkPeople(ctx, recipients);
  // A mail program retries by itself. Without room, its attempts must not use up the sender's rate
  // limit, nor store a blob each
  if (source.door === 'submission' && !isUnlimited) {
    await requireRoom(ctx, [String(source.user.id)], { bytes: completed.raw.length });
  }
  // A scheduled message is counted once more when it leaves
  const kind = source.sendAt ? 'schedule' : 'send';
  await checkRecipientRate(ctx, source.user, recipients.length, kind);
  const uncount = (): Promise<void> => giveBackRecipients(ctx, source.user, recipients.length, kind);
  const bcc = hiddenRecipients(recipients, parsed, [...source.bcc, ...completed.bcc]);
  const { raw } = completed;
  const blob = await app.blobs.put(raw).catch(async (error: unknown) => {
    // What was counted in the caller's transaction is uncounted by its rollback
    if (ctx.tx === undefined) await uncount();
    throw error;
  });

  const accepted = { source, parsed, blob, raw, mailId, recipients, bcc, isUnlimited };
  const submitted = await commit(ctx, accepted).catch(async (error: unknown) => {
    if (ctx.tx !== undefined) throw error;
    // If the answer to a group's commit is lost, each of its messages is written again, and that
    // fails on the rows of the first commit
    const known = mayBeCommitted(error) ? await findCommitted(ctx, accepted) : null;
    if (known !== null) return known;
    if (isOutcomeKnown(error)) {
      // Its sender will send it again
      await uncount();
      await removeUnneededBlob(ctx, blob.key);
    }
    throw error;
  });
  log.info('message queued', { event: 'queued', mailId, door: source.door, recipients: recipients.length });
  return submitted;
}

/** If one message of a group has no room, all of them fail, and each is then written by itself. */
const groupOf = groupWorkOf<App, AcceptedSubmission, Submitted>(
  (app, items) =>
    inTransaction(systemContext(app), async (tx) => {
      const submitted = await writeSubmissions(tx, items);
      await requireRoomForCopies(tx, items);
      return submitted;
    }),
  { items: 32, lanes: 4, patienceMs: 250, gatherMs: 4 },
);

/** Messages to more people than this get a commit of their own: they would delay a shared one. */
const mostRecipientsOfShared = 100;

/**
 * Messages that are submitted at the same time share a commit. A message that has work alongside,
 * has many recipients, or comes in the caller's transaction does not share it.
 */
async function commit(ctx: Ctx, accepted: AcceptedSubmission): Promise<Submitted> {
  const { app, tx } = ctx;
  const { source, recipients } = accepted;
  if (tx !== undefined || source.alongside !== undefined || recipients.length > mostRecipientsOfShared) {
    return await inTransaction(ctx, async (own) => {
      const [submitted] = await writeSubmissions(own, [accepted]);
      if (submitted === undefined) throw new Error('a message was not written');
      await source.alongside?.(own, submitted);
      await requireRoomForCopies(own, [accepted]);
      return submitted;
    });
  }
  return await groupOf(app).add(accepted);
}

/**
 * False while the database may still carry the commit out. The blob then stays, and the sweep for
 * unreferenced blobs decides about it later.
 */
function isOutcomeKnown(error: unknown): boolean {
  return wasRolledBack(error) || !isDatabaseAway(error);
}

/**
 * Reads what the lost answer to a commit would have said; null when nothing was committed. The lock
 * waits for a commit that is still under way.
 */
async function findCommitted(ctx: Ctx, { source, mailId }: AcceptedSubmission): Promise<Submitted | null> {
  const [row] = await readRows<{ messageId: string; entryId: string; undoUntil: Date | null; isScheduled: number }>(
    ctx,
    `SELECT m.id AS messageId, e.id AS entryId, e.undo_until AS undoUntil, e.scheduled_status AS isScheduled
       FROM messages m JOIN mailbox_entries e ON e.message_id = m.id AND e.user_id = ? AND e.received_status = 0
      WHERE m.mail_id = ? LOCK IN SHARE MODE`,
    [String(source.user.id), mailId],
  );
  if (row === undefined) return null;
  log.warn('a commit was carried out although its answer was lost', { mailId });
  const { messageId, entryId, undoUntil, isScheduled } = row;
  return {
    entryId: String(entryId),
    messageId: String(messageId),
    mailId,
    undoUntil,
    isScheduled: Number(isScheduled) === 1,
  };
}

/**
 * Refuses copies without room. At this point the copies are written, their folders are locked, and
 * what they replace, such as a draft, is removed.
 */
async function requireRoomForCopies(ctx: TxCtx, items: readonly AcceptedSubmission[]): Promise<void> {
  const bound = items.filter(({ isUnlimited }) => !isUnlimited);
  if (bound.length === 0) return;
  const userIds = new Set(bound.map(({ source }) => String(source.user.id)));
  await requireRoom(ctx, [...userIds], { storedSize: Math.max(...bound.map(({ raw }) => raw.length)) });
}

async function complete({ app }: Ctx, { raw, user, sendAt }: Submission, mailId: string): Promise<CompletedSummary> {
  const { hostname } = app.config;
  const input = { date: sendAt ?? new Date(), messageId: `<${mailId}@${hostname}>`, hostname };
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

/** The recipients that the header does not name; only the sender sees them (D17). */
function hiddenRecipients(recipients: string[], parsed: MessageSummary, named: string[]): string[] {
  const visible = new Set([...parsed.to, ...parsed.cc].map(({ address }) => normaliseAddress(address)));
  const hidden = [...named, ...recipients].filter((address) => !visible.has(normaliseAddress(address)));
  return [...new Map(hidden.map((address) => [normaliseAddress(address), address])).values()];
}
