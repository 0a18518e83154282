import { fullName } from '@selvage/core/contracts/full-name';
import { createHash } from 'node:crypto';
import type { InvitationDto } from '@selvage/core/contracts/invitations';
import type { Ctx, TxCtx } from '@selvage/core/context/context';
import { changeRows } from '@selvage/core/database/run-sql';
import { findOwnAliases } from '@selvage/core/directory/own-address';
import { type AppError, conflict, notFound, unauthorized } from '@selvage/core/errors';
import { normaliseAddress } from '@selvage/core/mail/addresses';
import type { EventAttendee, Invitation } from '@selvage/core/mail/invitation';
import { composeInvitationReply, type GivenAnswer, givenAnswers } from '@selvage/core/mail/invitation-reply';
import { blobOf, type EntryWithMessage, findEntry } from '@selvage/core/mailstore/find-entry';
import { InvitationAnswer } from '@selvage/core/models/invitation-answer';
import { User } from '@selvage/core/models/user';
import { submitMessage } from '@selvage/core/outbound/submit-message';
import type { SignedIn } from '../http/request-context.ts';
import { attachmentPath, type ShownBody } from './body-html.ts';
import { readMessages } from './message-readers.ts';

const mostListed = 100;

/** The invitation that a message carries, as its reader sees it (D52); null when there is none. */
export async function presentInvitation(
  ctx: Ctx,
  { entry, message }: EntryWithMessage,
  { invitation }: Pick<ShownBody, 'invitation'>,
): Promise<InvitationDto | null> {
  if (!invitation) return null;
  const user = await User.findByPk(entry.userId, { transaction: ctx.tx });
  const own = user ? await ownAddresses(ctx, user) : new Set<string>();
  const { method, organiser, attendees, sequence } = invitation;
  const isMine = ({ address }: EventAttendee): boolean => own.has(address);
  const row = await findAnswer(ctx, String(entry.userId), invitation);
  const value = givenAnswers.find((known) => known === row?.answer);
  const speaker = method === 'reply' ? attendees[0] : organiser;
  const isOutdated = row !== null && row.sequence > sequence;
  return {
    method,
    title: invitation.title,
    where: invitation.where,
    start: invitation.start,
    end: invitation.end,
    recurrence: invitation.recurrence,
    is_one_date: invitation.recurrenceId !== null,
    is_update: sequence > 0,
    organiser,
    is_from_speaker: speaker?.address === normaliseAddress(message.fromAddress),
    attendees: [...attendees.filter(isMine), ...attendees.filter((one) => !isMine(one))]
      .slice(0, mostListed)
      .map((one) => ({
        name: one.name,
        address: one.address,
        answer: one.answer,
        is_optional: one.isOptional,
        is_me: isMine(one),
      })),
    attendee_count: invitation.attendeeCount,
    may_answer: !entry.sendStatus && !isOutdated && attendeeOf(invitation, own) !== null,
    answer: value ? { value, is_earlier: (row?.sequence ?? 0) < sequence } : null,
    is_outdated: isOutdated,
    file_path: attachmentPath(ctx, entry, invitation.index),
  };
}

/**
 * Answers an invitation by a message to its organiser. The same answer to the same version of the
 * invitation is sent once.
 * @throws 404 for a message that does not invite the caller; 409 when the caller has answered a
 * newer version
 */
export async function answerInvitation(
  ctx: SignedIn,
  entryId: string,
  answer: GivenAnswer,
): Promise<{ answer: GivenAnswer; sent: boolean }> {
  const { userId } = ctx.actor;
  const { entry, message } = await findEntry(ctx, { userId, entryId });
  const user = await User.findByPk(userId);
  if (!user) throw unauthorized();
  const reading = { userId, bytes: Number(message.size) };
  const { invitation } = await readMessages(ctx.app, reading, () =>
    ctx.app.content.show(blobOf(message), `user:${userId}`),
  );
  const attendee = invitation && attendeeOf(invitation, await ownAddresses(ctx, user));
  if (entry.sendStatus || !attendee || !invitation.organiser) throw notFound('invitation');
  const earlier = await findAnswer(ctx, userId, invitation);
  if (earlier && isSame(earlier, invitation, answer)) return { answer, sent: false };
  const { organiser } = invitation;
  const now = momentAfter(earlier);
  const raw = await composeInvitationReply({
    invitation,
    organiser,
    attendee: { name: fullName(user), address: attendee.address },
    answer,
    now,
    // A long id was cut when it was stored
    inReplyTo: message.messageIdHeader?.endsWith('>') ? message.messageIdHeader : null,
  });
  try {
    await submitMessage(ctx, {
      user,
      raw,
      door: 'web',
      recipients: [organiser.address],
      bcc: [],
      alongside: (tx) => keepAnswer(tx, user, invitation, { answer, now }),
    });
  } catch (error) {
    if (error instanceof AnsweredMeanwhile) return { answer, sent: false };
    throw error;
  }
  return { answer, sent: true };
}

/**
 * RFC 5546 2.1.5: of two answers to one version, the organiser's program takes the one with the
 * later DTSTAMP. A DTSTAMP has whole seconds only.
 */
function momentAfter(earlier: InvitationAnswer | null): Date {
  const next = earlier ? (Math.floor(earlier.answeredAt.getTime() / 1000) + 1) * 1000 : 0;
  return new Date(Math.max(Date.now(), next));
}

/** Another call has sent the same answer meanwhile. */
class AnsweredMeanwhile extends Error {}

/**
 * Stores the answer. Calls about one event lock its row, so the second call sees the first's
 * answer.
 */
async function keepAnswer(
  ctx: TxCtx,
  user: User,
  invitation: Invitation,
  { answer, now }: { answer: GivenAnswer; now: Date },
): Promise<void> {
  const where = { userId: String(user.id), eventKey: keyOf(invitation) };
  const { sequence } = invitation;
  await changeRows(
    ctx,
    `INSERT IGNORE INTO invitation_answers (company_id, user_id, event_key, sequence, answer, answered_at)
      VALUES (?, ?, ?, ?, '', ?)`,
    [String(user.companyId), where.userId, where.eventKey, sequence, now],
  );
  const row = await InvitationAnswer.findOne({ where, transaction: ctx.tx, lock: ctx.tx.LOCK.UPDATE });
  if (!row) throw new Error('a row that was just made is gone');
  if (isSame(row, invitation, answer)) throw new AnsweredMeanwhile();
  await row.update({ sequence, answer, answeredAt: now }, { transaction: ctx.tx });
}

function isSame(row: InvitationAnswer, { sequence }: Invitation, answer: GivenAnswer): boolean {
  if (row.sequence > sequence) throw outdated();
  return row.sequence === sequence && row.answer === answer;
}

function outdated(): AppError {
  return conflict('You have answered a newer version of this invitation.', 'invitation_outdated');
}

async function findAnswer(ctx: Ctx, userId: string, invitation: Invitation): Promise<InvitationAnswer | null> {
  return await InvitationAnswer.findOne({ where: { userId, eventKey: keyOf(invitation) }, transaction: ctx.tx });
}

/**
 * The organiser is part of the key, since another organiser may use the same UID for another event.
 */
function keyOf({ uid, organiser, recurrenceId }: Invitation): string {
  return createHash('sha256')
    .update(JSON.stringify([uid, organiser?.address, recurrenceId]))
    .digest('hex');
}

/** The attendee of the invitation who is the reader; null when it does not invite the reader. */
function attendeeOf({ method, organiser, attendees }: Invitation, own: ReadonlySet<string>): EventAttendee | null {
  if (method !== 'request' || !organiser || own.has(organiser.address)) return null;
  return attendees.find(({ address }) => own.has(address)) ?? null;
}

async function ownAddresses(ctx: Ctx, user: User): Promise<ReadonlySet<string>> {
  const written = [user.email, ...(await findOwnAliases(ctx, String(user.id)))];
  return new Set(written.flatMap((address) => normaliseAddress(address) ?? []));
}
