import type { InferBody } from '@selvage/core/contracts/endpoint';
import type { saveDraft as contract } from '@selvage/core/contracts/mail';
import { inTransaction } from '@selvage/core/context/context';
import { AppError, unauthorized } from '@selvage/core/errors';
import { log } from '@selvage/core/log';
import { previewOf } from '@selvage/core/mail/preview';
import { removeBlobIfUnreferenced } from '@selvage/core/mailstore/remove-blob';
import { type DraftDescent, type DraftFile, saveDraft } from '@selvage/core/mailstore/save-draft';
import { User } from '@selvage/core/models/user';
import type { SignedIn } from '../http/request-context.ts';
import type { UploadedFile } from '../http/uploads.ts';
import { checkFiles } from './check-sending.ts';
import type { Original } from './composed.ts';
import { type Descent, descentOf, noDescent } from './descent.ts';
import { wordsOfPictures } from './draft-pictures.ts';
import { type DraftWithFiles, findOwnDraft } from './drafts.ts';
import { readUploads } from './message-files.ts';

type Body = InferBody<typeof contract>;

/**
 * Saves what a person has written so far.
 * @throws 404, 409 `changed_meanwhile` or `too_many_drafts`, 413, 422 `mailbox_full`
 */
export async function saveWriting(
  ctx: SignedIn,
  { body, files }: { body: Body; files: UploadedFile[] },
): Promise<DraftWithFiles> {
  const { userId, companyId } = ctx.actor;
  checkFiles(files);
  const user = await User.findByPk(userId);
  if (!user) throw unauthorized();
  const known = body.draft_id ? { id: body.draft_id, version: body.version } : null;
  // Before any bytes are stored for it
  if (known) await findOwnDraft(ctx, userId, known.id);
  const without = new Set(body.without_attachments);
  const { original, descent } = await descentOfNew(ctx, known ? null : body, without);
  const { html, text } = await ctx.app.content.keepWriting(body.body, wordsOfPictures(ctx.app, userId, body.body));
  const added = await store(ctx, [...descent.files, ...(await readUploads(files))]);
  const content = {
    toList: body.recipient_emails_to,
    ccList: body.recipient_emails_cc,
    bccList: body.recipient_emails_bcc,
    subject: body.subject,
    body: html,
    preview: previewOf({ text, html: null }),
    fromAddress: body.from ?? user.email,
  };
  const save = { userId, companyId, known, content, descent: toColumns(original, descent), added, without };
  try {
    return await inTransaction(ctx, async (tx) => {
      const id = await saveDraft(tx, save);
      return await findOwnDraft(tx, userId, id);
    });
  } catch (error) {
    await removeFiles(ctx, added);
    throw error;
  }
}

/** An original that is gone by now must not cost the person what they have written. */
async function descentOfNew(
  ctx: SignedIn,
  body: Body | null,
  without: ReadonlySet<string>,
): Promise<{ original: Original | null; descent: Descent }> {
  const original = body?.originalEmailId ? { entryId: body.originalEmailId, isReply: body.is_reply } : null;
  try {
    return { original, descent: await descentOf(ctx, original, without) };
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 404) throw error;
    return { original: null, descent: noDescent };
  }
}

function toColumns(original: Original | null, { inReplyTo, references }: Descent): DraftDescent {
  return {
    originalEntryId: original?.entryId ?? null,
    isReply: original?.isReply ?? false,
    inReplyTo: inReplyTo?.slice(0, 998) ?? null,
    referenceIds: references,
  };
}

type NewFile = { filename: string; contentType: string; content: Buffer };

async function store({ app }: SignedIn, files: readonly NewFile[]): Promise<DraftFile[]> {
  const stored: DraftFile[] = [];
  for (const { filename, contentType, content } of files) {
    const { key: blobKey, size } = await app.blobs.put(content);
    stored.push({ blobKey, filename: filename.slice(0, 255), contentType: contentType.slice(0, 255), size, content });
  }
  return stored;
}

/** Removes files that became part of no draft. The sweep finds what is left after a failure. */
async function removeFiles(ctx: SignedIn, files: readonly DraftFile[]): Promise<void> {
  try {
    for (const { blobKey } of files) await removeBlobIfUnreferenced(ctx, blobKey);
  } catch (error) {
    log.warn('files of a draft that was not saved are left to the sweep', { error });
  }
}
