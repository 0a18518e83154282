import { fullName } from '@selvage/core/contracts/full-name';
import { randomUUID } from 'node:crypto';
import { requireInFolder } from '@selvage/core/access/mail-permissions';
import { invalid, notFound, unauthorized } from '@selvage/core/errors';
import { domainOf } from '@selvage/core/mail/address-rules';
import { type ComposedAttachment, composeMessage, UnfitForMessage } from '@selvage/core/mail/compose-message';
import { collectImages } from '@selvage/core/mailstore/composed-images';
import { markOriginal } from '@selvage/core/mailstore/mark-original';
import { parseFutureTime } from '@selvage/core/mailstore/parse-future-time';
import { addReminder } from '@selvage/core/outbound/answer-reminders';
import { removeDraft } from '@selvage/core/mailstore/remove-draft';
import { changedElsewhere } from '@selvage/core/mailstore/save-draft';
import { Draft } from '@selvage/core/models/draft';
import { User } from '@selvage/core/models/user';
import { type Sent, sendOnce } from '@selvage/core/outbound/send-once';
import { readSendTime } from '@selvage/core/outbound/scheduled';
import { submitMessage } from '@selvage/core/outbound/submit-message';
import type { Submitted } from '@selvage/core/outbound/submission';
import type { TxCtx } from '@selvage/core/context/context';
import { holdForCall } from '../http/call-memory.ts';
import type { SignedIn } from '../http/request-context.ts';
import { checkFiles, readRecipients } from './check-sending.ts';
import type { Composed, Original, Writing } from './composed.ts';
import { descentOf, descentOfDraft, originalOfDraft } from './descent.ts';
import { pictureAt } from './draft-pictures.ts';
import { type DraftWithFiles, findOwnDraft } from './drafts.ts';
import { fingerprintOf } from './fingerprint.ts';
import { readFrom } from './from-address.ts';
import { filesOfDraft, readUploads } from './message-files.ts';

/**
 * Sends what a person wrote, once for each idempotency key. Its deliveries are held until the undo
 * time is over (D29), or until the time that the person chose (D48).
 */
export async function sendWriting(ctx: SignedIn, composed: Composed): Promise<Sent> {
  const key = composed.writing.idempotency_key;
  if (!key) return await sendNow(ctx, composed);
  const { userId, companyId } = ctx.actor;
  const fingerprint = await fingerprintOf(composed);
  return await sendOnce(ctx, { userId, companyId, key, fingerprint }, (settle) => sendNow(ctx, composed, settle));
}

async function sendNow(
  ctx: SignedIn,
  { writing, files, original: named }: Composed,
  settle?: (ctx: TxCtx, sent: Sent) => Promise<void>,
): Promise<Sent> {
  const { userId } = ctx.actor;
  const sendAt = writing.send_at ? readSendTime(writing.send_at) : undefined;
  const remindAt = readReminder(ctx, writing, sendAt);
  const recipients = readRecipients(writing);
  checkFiles(files);
  const user = await User.findByPk(userId);
  if (!user) throw unauthorized();
  const from = await readFrom(ctx, user, writing.from);
  const draft = writing.draft_id ? await findOwnDraft(ctx, userId, writing.draft_id) : null;
  requireDraftVersion(draft, writing.draft_version);
  const without = new Set(writing.without_attachments);
  const isOfDraft = draft !== null && (!named || isTakenBack(draft.draft) || descendsFrom(draft.draft, named));
  const descent = isOfDraft ? await descentOfDraft(ctx, draft.draft) : await descentOf(ctx, named ?? null, without);
  const original = named ?? (draft && originalOfDraft(draft.draft));
  const { images, ...text } = await readText(ctx, writing);
  const raw = await compose({
    from: { name: fullName(user), address: from },
    to: recipients.to,
    cc: recipients.cc,
    subject: writing.subject,
    ...text,
    attachments: [
      ...images,
      ...descent.files,
      ...(draft ? await filesOfDraft(ctx, draft, without) : []),
      ...(await readUploads(files)),
    ],
    messageId: `<${randomUUID()}@${domainOf(from)}>`,
    date: sendAt ?? new Date(),
    inReplyTo: descent.inReplyTo,
    references: descent.references,
  });
  const now = new Date();
  const holdMs = user.undoMs ?? ctx.app.config.undoMs;
  const sentOf = ({ entryId, undoUntil, isScheduled }: Submitted): Sent => {
    const until = undoUntil ?? now;
    const heldMs = isScheduled ? until.getTime() - now.getTime() : holdMs;
    return { entryId, undoUntil: until, holdMs: heldMs, isScheduled };
  };
  const submitted = await submitMessage(ctx, {
    user,
    raw,
    door: 'web',
    // The recipients as they were checked. Nothing is parsed again from the composed header
    recipients: [...recipients.to, ...recipients.cc, ...recipients.bcc].map(({ address }) => address),
    bcc: recipients.bcc.map(({ address }) => address),
    called: recipients.bcc,
    holdMs,
    sendAt,
    isForwarded: descent.isForwarded,
    alongside: async (inside, submitted) => {
      if (draft) await removeDraft(inside, await lockAsRead(inside, draft.draft));
      if (original) await markOriginal(inside, { userId, ...original });
      if (remindAt) await addReminder(inside, { userId, entryId: submitted.entryId, at: remindAt });
      await settle?.(inside, sentOf(submitted));
    },
  });
  return sentOf(submitted);
}

/**
 * When the sender wants to be reminded. Setting it here needs the same right as setting it later.
 */
function readReminder(ctx: SignedIn, { remind_at: text }: Writing, sendAt: Date | undefined): Date | null {
  if (!text) return null;
  requireInFolder(ctx, 'sent', 'edit');
  const at = parseFutureTime(text, { field: 'remind_at' });
  if (sendAt && at <= sendAt) throw invalid({ remind_at: 'Choose a time after the message leaves' });
  return at;
}

/**
 * Whether the draft is a sent message that its sender took back. Its bytes already have the
 * References header, so the draft's row has none.
 */
function isTakenBack({ entryId, referenceIds }: Draft): boolean {
  return entryId !== null && referenceIds === null;
}

/** Whether the draft was begun from this message, so that it has the files of a forward already. */
function descendsFrom({ originalEntryId, isReply }: Draft, original: Original): boolean {
  return String(originalEntryId) === original.entryId && isReply === original.isReply;
}

/**
 * Refuses to send when the draft was saved elsewhere since: sending deletes the draft, and with it
 * text that the sender has not seen.
 */
function requireDraftVersion(draft: DraftWithFiles | null, version: number | undefined): void {
  if (draft === null || version === undefined || version === draft.draft.version) return;
  throw changedElsewhere();
}

/**
 * Locks the draft whose text is sent, and checks that it is still the version that was read: the
 * person may have saved it again while the message was composed. The row is read anew, since a
 * worker may have given the draft another entry without a new version.
 */
async function lockAsRead({ tx }: TxCtx, { id, version }: Draft): Promise<Draft> {
  const attributes = { exclude: ['body'] };
  const draft = await Draft.findByPk(id, { attributes, lock: true, transaction: tx });
  if (!draft) throw notFound('draft');
  if (draft.version !== version) throw changedElsewhere();
  return draft;
}

/** The text in the form in which it is sent, and the pictures in it. */
async function readText(
  ctx: SignedIn,
  { body, body_kind: kind }: Writing,
): Promise<{ text: string; html?: string; images: ComposedAttachment[] }> {
  if (kind === 'text') return { text: body.toWellFormed(), images: [] };
  const { userId } = ctx.actor;
  const quoted = (address: string) => pictureAt(ctx.app, userId, address);
  const { files, contentIds } = await collectImages(ctx, { userId, html: body, quoted, hold: holdForCall });
  return { ...(await ctx.app.content.composeText(body, `user:${userId}`, contentIds)), images: files };
}

async function compose(input: Parameters<typeof composeMessage>[0]): Promise<Buffer> {
  try {
    return await composeMessage(input);
  } catch (error) {
    if (error instanceof UnfitForMessage) throw invalid({ [error.field]: 'This cannot be part of a message' });
    throw error;
  }
}
