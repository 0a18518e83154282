import { requirePermission } from '@selvage/core/access/effective-permissions';
import type { InferBody } from '@selvage/core/contracts/endpoint';
import type { saveDraft as contract } from '@selvage/core/contracts/drafts';
import { inTransaction, type TxCtx } from '@selvage/core/context/context';
import { AppError, unauthorized } from '@selvage/core/errors';
import type { ComposedAttachment } from '@selvage/core/mail/compose-message';
import { previewOf } from '@selvage/core/mail/preview';
import { putBlob } from '@selvage/core/mailstore/put-blob';
import { type DraftOrigin, type DraftFile, saveDraft } from '@selvage/core/mailstore/save-draft';
import { User } from '@selvage/core/models/user';
import { countAttempt, type Rule } from '../auth/throttle.ts';
import type { SignedIn } from '../http/request-context.ts';
import type { UploadedFile } from '../http/uploads.ts';
import { checkFiles } from './check-sending.ts';
import type { Original } from './composed.ts';
import { descentOf, descentOfDraft } from './descent.ts';
import { wordsOfPictures } from './draft-pictures.ts';
import { type DraftWithFiles, findOwnDraft } from './drafts.ts';
import { nameOfSave } from './fingerprint.ts';
import { filesOfDraft, readUploads } from './message-files.ts';

type Body = InferBody<typeof contract>;

/** Limits the saves of one person, since each save sanitises the text and may store files. */
const saving = { name: 'draft-save', limit: 600, windowSeconds: 3600 } as const satisfies Rule;

/**
 * Saves what a person has written so far. A call that is repeated with the same key saves once.
 * @throws 403 without the flag to create a draft, or to edit one; 404, 409 `changed_meanwhile` or
 * `too_many_drafts`, 413, 422 `mailbox_full`, 429
 */
export async function saveWriting(
  ctx: SignedIn,
  { body, files }: { body: Body; files: UploadedFile[] },
): Promise<DraftWithFiles & { version: number }> {
  const { userId, companyId } = ctx.actor;
  requirePermission(ctx, 'draft', body.draft_id ? 'edit' : 'create');
  await countAttempt(ctx.app, saving, userId);
  checkFiles(files);
  const user = await User.findByPk(userId);
  if (!user) throw unauthorized();
  const known = body.draft_id ? { id: body.draft_id, version: body.version } : null;
  const without = new Set(body.without_attachments);
  const begun = known ? nothing : await beginningOf(ctx, body, without);
  const { html, text } = await ctx.app.content.keepWriting(
    body.body,
    wordsOfPictures(ctx.app, userId, body.body),
    `user:${userId}`,
  );
  const newFiles = [...begun.files, ...(await readUploads(files))];
  const name = body.idempotency_key ? await nameOfSave(body, files) : null;
  const content = {
    toList: body.recipient_emails_to,
    ccList: body.recipient_emails_cc,
    bccList: body.recipient_emails_bcc,
    subject: body.subject,
    body: html,
    preview: previewOf({ text, html: null }),
    fromAddress: body.from ?? user.email,
  };
  return await inTransaction(ctx, async (tx) => {
    // Before any row is locked: writing bytes takes time
    const added = await store(tx, newFiles);
    const { origin } = begun;
    const { id, version } = await saveDraft(tx, { userId, companyId, known, content, origin, added, without, name });
    return { ...(await findOwnDraft(tx, userId, id)), version };
  });
}

/** What a new draft takes over from a message or from another draft. */
interface Beginning {
  origin: DraftOrigin;
  files: ComposedAttachment[];
}

const nothing: Beginning = {
  origin: { originalEntryId: null, isReply: false, inReplyTo: null, referenceIds: [] },
  files: [],
};

/**
 * What a new draft takes over. If the original has been deleted meanwhile, the draft is saved
 * without it, so that the person does not lose what they have written.
 */
async function beginningOf(ctx: SignedIn, body: Body, without: ReadonlySet<string>): Promise<Beginning> {
  try {
    if (body.copy_of) {
      const { copy_of: copied, with_attachments: seen } = body;
      return await beginAsCopy(ctx, copied, (id) => !without.has(id) && (seen === undefined || seen.includes(id)));
    }
    if (body.originalEmailId) {
      const { originalEmailId: entryId, is_reply, with_pictures: withPictures = false } = body;
      return await beginAsAnswer(ctx, { entryId, isReply: is_reply, withPictures }, without);
    }
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 404) throw error;
  }
  return nothing;
}

/** @param isTaken of a file of the draft, which may have got others since the writer saw it */
async function beginAsCopy(ctx: SignedIn, draftId: string, isTaken: (id: string) => boolean): Promise<Beginning> {
  const copied = await findOwnDraft(ctx, ctx.actor.userId, draftId);
  const { inReplyTo, references } = await descentOfDraft(ctx, copied.draft);
  const { originalEntryId, isReply } = copied.draft;
  const left = copied.files.map(({ id }) => String(id)).filter((id) => !isTaken(id));
  return {
    origin: { originalEntryId, isReply, ...toColumns(inReplyTo, references) },
    files: await filesOfDraft(ctx, copied, new Set(left)),
  };
}

async function beginAsAnswer(ctx: SignedIn, original: Original, without: ReadonlySet<string>): Promise<Beginning> {
  const { inReplyTo, references, files } = await descentOf(ctx, original, without);
  const { entryId: originalEntryId, isReply } = original;
  return { origin: { originalEntryId, isReply, ...toColumns(inReplyTo, references) }, files };
}

function toColumns(inReplyTo: string | null, referenceIds: string[]) {
  return { inReplyTo: inReplyTo?.slice(0, 998) ?? null, referenceIds };
}

async function store(ctx: TxCtx, files: readonly ComposedAttachment[]): Promise<DraftFile[]> {
  const stored: DraftFile[] = [];
  for (const { filename, contentType, content } of files) {
    const { key: blobKey, size } = await putBlob(ctx, content);
    stored.push({ blobKey, filename: filename.slice(0, 255), contentType: contentType.slice(0, 255), size, content });
  }
  return stored;
}
