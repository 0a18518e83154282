import { fullName } from '../contracts/full-name.ts';
import { consumeWithin, isUsedUp } from '../access/rate-limit.ts';
import { type Ctx, inTransaction, type TxCtx } from '../context/context.ts';
import { changeRows, readRows } from '../database/run-sql.ts';
import { findOwnAliases } from '../directory/own-address.ts';
import { deliverMessage } from '../jobs/deliver-message.ts';
import { addLedgerRows } from '../ledger/add-ledger-rows.ts';
import { normaliseAddress, parseAddress } from '../mail/addresses.ts';
import type { AuthenticationResults } from '../mail/authenticate-message.ts';
import { composeMessage } from '../mail/compose-message.ts';
import { bodyOffset } from '../mail/crlf.ts';
import { newMailId } from '../mail/mail-id.ts';
import { isUnreadable, type MessageSummary } from '../mail/parsed-message.ts';
import { isRobot, stateOfAbsence } from '../mail/vacation-rules.ts';
import { insertMessage } from '../mailstore/message-rows.ts';
import { putBlob } from '../mailstore/put-blob.ts';
import { readBeginning } from '../mailstore/read-blob.ts';
import { type EntryFolder, MailboxEntry } from '../models/mailbox-entry.ts';
import { Message } from '../models/message.ts';
import { User } from '../models/user.ts';
import { Vacation } from '../models/vacation.ts';
import { knowsPerson } from './knows-person.ts';
import { isMailboxInUse, maySend } from './submission-checks.ts';
import { dayMs } from '../utc-day.ts';

/** A sender hears once in this time that a person is away (RFC 3834 2). */
const pauseMs = 7 * dayMs;
/**
 * The most answers for one person. Otherwise a stranger with many addresses could make this host
 * flood those addresses.
 */
const repliesPerDay = { limit: 200, windowSeconds: 86_400 };
/** The header of a real message is far smaller. */
const mostHeaderBytes = 65_536;
/** Mail in any other folder is answered, also in one that its reader made (D47). */
const neverAnswered: ReadonlySet<EntryFolder> = new Set(['junk', 'trash', 'gone']);

/** The result for a message that was checked for an answer. */
export type VacationOutcome =
  | 'replied'
  | 'not_away'
  | 'not_answerable'
  | 'not_known'
  | 'told_before'
  | 'rate_limited'
  | 'may_not_send';

/** Answers a received message for its reader, if they are away and RFC 3834 allows it. */
export async function replyForReader(ctx: Ctx, entryId: string, now = new Date()): Promise<VacationOutcome> {
  const entry = await MailboxEntry.findByPk(entryId);
  const [user, vacation, message] = entry
    ? await Promise.all([
        User.findByPk(entry.userId),
        Vacation.findOne({ where: { userId: entry.userId } }),
        Message.findByPk(entry.messageId),
      ])
    : [];
  if (!entry || !user || !vacation || user.deletedAt || stateOfAbsence(vacation, now) !== 'active') return 'not_away';
  if (!message || !entry.receivedStatus || neverAnswered.has(entry.folder)) return 'not_answerable';
  const original = await readHeader(ctx, message);
  const addresses = original && (await answerAddresses(ctx, user, { message, original }));
  if (!original || !addresses) return 'not_answerable';
  if (vacation.onlyKnown && !(await knowsPerson(ctx, user, addresses.known))) return 'not_known';
  if (!((await isMailboxInUse(ctx, user)) && (await maySend(ctx, user)))) return 'may_not_send';
  return await reply(ctx, { user, vacation, ...addresses, original, now });
}

/**
 * The header alone, since a stranger chooses the size of the rest. Null when its bytes are lost, or
 * it is too long or takes too much to read.
 */
async function readHeader(ctx: Ctx, { blobKey }: Message): Promise<MessageSummary | null> {
  try {
    const raw = await readBeginning(ctx.app.blobs, blobKey, mostHeaderBytes);
    const end = bodyOffset(raw);
    return end >= mostHeaderBytes ? null : await ctx.app.content.summarise(raw.subarray(0, end), 'host');
  } catch (error) {
    // A later attempt would fail in the same way
    if (isUnreadable(error)) return null;
    throw error;
  }
}

/** The recipient and the sender of an answer. */
interface AnswerAddresses {
  /** The return path. */
  to: string;
  /** The address of the sender by which they are known: the return path without a daily tag. */
  known: string;
  /** The person's address that the message names: the only one that its sender surely knows. */
  from: string;
}

/** Null where no person can be expected to read the answer (RFC 3834 2 and 4). */
async function answerAddresses(
  ctx: Ctx,
  user: User,
  { message, original }: { message: Message; original: MessageSummary },
): Promise<AnswerAddresses | null> {
  const address = normaliseAddress(message.envelopeFrom);
  // RFC 5321 2.4: the host of the sender alone may change the case of the local part
  const to = parseAddress(message.envelopeFrom.trim())?.address;
  if (address === null || to === undefined || original.isAutomatic || isRobot(address) || isRobot(message.fromAddress))
    return null;
  if (isDoubted(message.authentication as AuthenticationResults | null)) return null;
  const own = new Set([user.email, ...(await findOwnAliases(ctx, String(user.id)))].map(normaliseAddress));
  const known = withoutBatv(address);
  if (own.has(known) || own.has(normaliseAddress(message.fromAddress))) return null;
  for (const one of [...original.to, ...original.cc]) {
    const named = normaliseAddress(one.address);
    const from = [named, withoutTag(named)].find((form) => own.has(form));
    if (from) return { to, known, from };
  }
  return null;
}

/** `ann+news@host` is an address of `ann@host`. */
function withoutTag(address: string | null): string | null {
  return address && address.replace(/^([^+@]+)\+[^@]*@/, '$1@');
}

/**
 * Some hosts put a tag that changes daily before the address, by which they know their own mail
 * again (BATV, draft-levine-smtp-batv).
 */
function withoutBatv(address: string): string {
  return address.replace(/^(?:prvs|btv1)=[^=@]+=(?=[^@]+@)/i, '');
}

/** An answer to a forged sender reaches a person who wrote nothing. */
function isDoubted(results: AuthenticationResults | null): boolean {
  return results !== null && (results.dmarc.result === 'fail' || results.spf.result === 'fail');
}

interface Reply extends AnswerAddresses {
  user: User;
  vacation: Vacation;
  original: MessageSummary;
  now: Date;
}

async function reply(ctx: Ctx, input: Reply): Promise<VacationOutcome> {
  const { user, to } = input;
  const key = `vacation:${user.id}`;
  if (await wasTold(ctx, input)) return 'told_before';
  if (await isUsedUp(ctx.app.redis, key, repliesPerDay)) return 'rate_limited';
  const mailId = newMailId();
  const raw = await compose(ctx, input, mailId);
  const [parsed, blob] = [await ctx.app.content.summarise(raw, `user:${user.id}`), await putBlob(ctx, raw)];
  return await inTransaction(ctx, async (tx) => {
    if (!(await noteReply(tx, input))) return 'told_before';
    await consumeWithin(tx, key, repliesPerDay);
    // With the null sender, no bounce of the answer reaches the person, and no automatic answer to
    // it starts a loop
    const message = await insertMessage(tx, { parsed, blob, raw, mailId, envelopeFrom: '', ledgerRows: 1 });
    await addLedgerRows(tx, [
      {
        companyId: String(user.companyId),
        messageId: String(message.id),
        mailId,
        direction: 'out',
        recipient: to,
        envelopeFrom: '',
        state: 'queued',
        reason: 'accepted',
        nextAttemptAt: new Date(),
        messageIdHeader: parsed.messageIdHeader,
      },
    ]);
    tx.tx.afterCommit(() => ctx.app.relay.wake(deliverMessage));
    return 'replied';
  });
}

/**
 * Lets all senders be answered once more. When the person writes a new text, or begins another
 * absence, it is news to the senders who have heard the earlier answer.
 */
export async function forgetTold(ctx: TxCtx, userId: string): Promise<void> {
  await changeRows(ctx, 'DELETE FROM vacation_replies WHERE user_id = ?', [userId]);
}

/** Saves composing an answer to a sender who writes often. `noteReply` makes the final decision. */
async function wasTold(ctx: Ctx, { user, known, now }: Reply): Promise<boolean> {
  const rows = await readRows(
    ctx,
    'SELECT 1 FROM vacation_replies WHERE user_id = ? AND address = ? AND replied_at > ?',
    [String(user.id), known, new Date(now.getTime() - pauseMs)],
  );
  return rows.length > 0;
}

/**
 * Notes that the sender is told now. The row is locked until the commit, so of two messages that
 * come at once one is answered.
 * @returns false when the sender was told in the last days, and is not told again
 */
async function noteReply(ctx: TxCtx, { user, known, now }: Reply): Promise<boolean> {
  await changeRows(
    ctx,
    'INSERT IGNORE INTO vacation_replies (company_id, user_id, address, created_at) VALUES (?, ?, ?, ?)',
    [String(user.companyId), String(user.id), known, now],
  );
  const [row] = await readRows<{ id: string; repliedAt: Date | null }>(
    ctx,
    'SELECT id, replied_at AS repliedAt FROM vacation_replies WHERE user_id = ? AND address = ? FOR UPDATE',
    [String(user.id), known],
  );
  if (row === undefined || (row.repliedAt !== null && row.repliedAt.getTime() > now.getTime() - pauseMs)) return false;
  await changeRows(ctx, 'UPDATE vacation_replies SET replied_at = ? WHERE id = ?', [now, String(row.id)]);
  return true;
}

async function compose(ctx: Ctx, { user, vacation, from, to, original }: Reply, mailId: string): Promise<Buffer> {
  const { messageIdHeader: id, references } = original;
  const raw = await composeMessage({
    from: { name: fullName(user), address: from },
    to: [{ name: '', address: to }],
    // RFC 3834 3.1.5
    subject: vacation.subject || `Auto: ${original.subject}`,
    text: `${vacation.body}\n`,
    messageId: `<${mailId}@${ctx.app.config.hostname}>`,
    date: new Date(),
    ...(id !== null && { inReplyTo: id, references: [...references, id] }),
  });
  return Buffer.concat([Buffer.from('Auto-Submitted: auto-replied\r\nX-Auto-Response-Suppress: All\r\n'), raw]);
}
