import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { invalid, isContentLost, unauthorized } from '@selvage/core/errors';
import { domainOf } from '@selvage/core/mail/addresses';
import { type MessageSummary, MessageTooComplex } from '@selvage/core/mail/parsed-message';
import { type ComposedAttachment, composeMessage, UnfitForMessage } from '@selvage/core/mail/compose-message';
import { blobOf, type EntryWithMessage, findEntry } from '@selvage/core/mailstore/find-entry';
import { readBlob } from '@selvage/core/mailstore/read-blob';
import { markOriginal } from '@selvage/core/mailstore/mark-original';
import { removeDraft } from '@selvage/core/mailstore/remove-draft';
import { Attachment } from '@selvage/core/models/attachment';
import { User } from '@selvage/core/models/user';
import { type Sent, sendOnce } from '@selvage/core/outbound/send-once';
import { type Submitted, submitMessage } from '@selvage/core/outbound/submit-message';
import type { TxCtx } from '@selvage/core/context/context';
import type { SignedIn } from '../http/request-context.ts';
import type { UploadedFile } from '../http/uploads.ts';
import { checkFiles, readRecipients } from './check-sending.ts';
import type { Composed, Original } from './composed.ts';
import { collectImages } from './composed-images.ts';
import { readFrom } from './from-address.ts';
import { fingerprintOf } from './fingerprint.ts';
import { type DraftWithFiles, findOwnDraft } from './drafts.ts';

/** The conversation that a reply belongs to (D21), and the files that a forward carries. */
interface Descent {
  inReplyTo: string | null;
  references: string[];
  files: ComposedAttachment[];
  isForwarded: boolean;
}

const noDescent: Descent = { inReplyTo: null, references: [], files: [], isForwarded: false };

/**
 * Sends what a person wrote, once for each key. Its deliveries are held for the time of undo (D29).
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
  { writing, files, original }: Composed,
  settle?: (ctx: TxCtx, sent: Sent) => Promise<void>,
): Promise<Sent> {
  const { userId } = ctx.actor;
  const recipients = readRecipients(writing);
  checkFiles(files);
  const user = await User.findByPk(userId);
  if (!user) throw unauthorized();
  const from = await readFrom(ctx, user, writing.from);
  const draft = writing.draft_id ? await findOwnDraft(ctx, userId, writing.draft_id) : null;
  const without = new Set(writing.without_attachments);
  const descent =
    (await descentOfDraft(ctx, draft)) ?? (await descentOf(ctx, original ?? originalOfDraft(draft), without));
  const images = await collectImages(ctx, userId, writing.body);
  const raw = await compose({
    from: { name: `${user.fname} ${user.lname}`.trim(), address: from },
    to: recipients.to,
    cc: recipients.cc,
    subject: writing.subject,
    ...(await ctx.app.content.composeText(writing.body, images.contentIds)),
    attachments: [
      ...images.files,
      ...descent.files,
      ...(await filesOfDraft(ctx, draft, without)),
      ...(await read(files)),
    ],
    messageId: `<${randomUUID()}@${domainOf(from)}>`,
    date: new Date(),
    inReplyTo: descent.inReplyTo,
    references: descent.references,
  });
  const now = new Date();
  const sentOf = ({ entryId, undoUntil }: Submitted): Sent => ({ entryId, undoUntil: undoUntil ?? now });
  const submitted = await submitMessage(ctx, {
    user,
    raw,
    door: 'web',
    // As they were checked. Nothing is parsed again from the composed header
    recipients: [...recipients.to, ...recipients.cc, ...recipients.bcc].map(({ address }) => address),
    bcc: recipients.bcc.map(({ address }) => address),
    holdMs: ctx.app.config.undoMs,
    isForwarded: descent.isForwarded,
    alongside: async (inside, submitted) => {
      if (draft) await removeDraft(inside, draft.draft);
      if (original) await markOriginal(inside, { userId, ...original });
      await settle?.(inside, sentOf(submitted));
    },
  });
  return sentOf(submitted);
}

async function compose(input: Parameters<typeof composeMessage>[0]): Promise<Buffer> {
  try {
    return await composeMessage(input);
  } catch (error) {
    if (error instanceof UnfitForMessage) throw invalid({ [error.field]: 'This cannot be part of a message' });
    throw error;
  }
}

/**
 * A message that was taken back is sent as the answer or the forward that it was, even when the
 * message that it answers is gone. The files of a forward belong to the draft by now.
 */
async function descentOfDraft(ctx: SignedIn, draft: DraftWithFiles | null): Promise<Descent | null> {
  const entryId = draft?.draft.entryId;
  if (!entryId) return null;
  const item = await findEntry(ctx, { userId: ctx.actor.userId, entryId: String(entryId) });
  const { inReplyTo, references } = await readAncestry(ctx, item);
  return { ...noDescent, inReplyTo, references, isForwarded: item.message.isForwarded };
}

/** A draft from before drafts had bytes of their own: only its original says what it answers. */
function originalOfDraft(draft: DraftWithFiles | null): Original | null {
  const entryId = draft?.draft.originalEntryId;
  // The files of a forward belong to the draft by now
  return draft?.draft.isReply && entryId ? { entryId: String(entryId), isReply: true } : null;
}

async function descentOf(ctx: SignedIn, original: Original | null, without: ReadonlySet<string>): Promise<Descent> {
  if (!original) return noDescent;
  const item = await findEntry(ctx, { userId: ctx.actor.userId, entryId: original.entryId });
  if (!original.isReply) {
    return { ...noDescent, files: await forwardedFiles(ctx, item, without), isForwarded: true };
  }
  const parsed = await readAncestry(ctx, item);
  const inReplyTo = parsed.messageIdHeader;
  // RFC 5322 3.6.4: the references of the original, or its In-Reply-To, then the original itself
  const earlier = parsed.references.length > 0 ? parsed.references : parsed.inReplyTo ? [parsed.inReplyTo] : [];
  return { ...noDescent, inReplyTo, references: inReplyTo ? [...earlier, inReplyTo] : earlier };
}

/** An original that can't be read, or takes too much, is answered with what its row says. */
async function readAncestry(
  ctx: SignedIn,
  { message }: EntryWithMessage,
): Promise<Pick<MessageSummary, 'messageIdHeader' | 'references' | 'inReplyTo'>> {
  try {
    return await ctx.app.content.summarise(blobOf(message), `user ${ctx.actor.userId}`);
  } catch (error) {
    if (!(error instanceof MessageTooComplex) && !isContentLost(error)) throw error;
    return { messageIdHeader: message.messageIdHeader, references: [], inReplyTo: null };
  }
}

async function forwardedFiles(
  ctx: SignedIn,
  { message }: EntryWithMessage,
  without: ReadonlySet<string>,
): Promise<ComposedAttachment[]> {
  const rows = await Attachment.findAll({ where: { messageId: message.id } });
  const kept = new Set(
    rows.filter(({ id, isInline }) => !isInline && !without.has(String(id))).map((row) => row.partIndex),
  );
  if (kept.size === 0) return [];
  const parsed = await ctx.app.content.readFiles(blobOf(message), [...kept]);
  return parsed.attachments.flatMap(({ index, filename, contentType, content }) =>
    kept.has(index) && content ? [{ filename, contentType: partType(contentType), content }] : [],
  );
}

async function filesOfDraft(
  ctx: SignedIn,
  draft: DraftWithFiles | null,
  without: ReadonlySet<string>,
): Promise<ComposedAttachment[]> {
  const files: ComposedAttachment[] = [];
  const kept = draft?.files.filter(({ id }) => !without.has(String(id))) ?? [];
  for (const { filename, contentType, blobKey } of kept) {
    files.push({ filename, contentType: partType(contentType), content: await readBlob(ctx.app.blobs, blobKey) });
  }
  return files;
}

async function read(files: UploadedFile[]): Promise<ComposedAttachment[]> {
  return await Promise.all(
    files.map(async ({ name, contentType, path }) => ({
      filename: name,
      contentType: partType(contentType),
      content: await readFile(path),
    })),
  );
}

/** The type of a file as the browser gave it, if it is a valid media type. */
function partType(contentType: string): string {
  const type = contentType.split(';')[0]?.trim() ?? '';
  return /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}$/.test(type) ? type : 'application/octet-stream';
}
