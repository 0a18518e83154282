import type { DraftDto, DraftRowDto, removeDrafts } from '@selvage/core/contracts/drafts';
import type { InferBody } from '@selvage/core/contracts/endpoint';
import { notFound } from '@selvage/core/errors';
import { Draft } from '@selvage/core/models/draft';
import { DraftAttachment } from '@selvage/core/models/draft-attachment';
import { type Ctx, inTransaction } from '@selvage/core/context/context';
import { removableDraft, removeDraft } from '@selvage/core/mailstore/remove-draft';
import type { ListedDraft } from '@selvage/core/mailstore/list-drafts';
import { changedElsewhere } from '@selvage/core/mailstore/save-draft';
import { withPictures } from './draft-pictures.ts';
import { fileType } from './presenter.ts';
import { cutForRow, presentRowTexts } from './row-texts.ts';
import { signPath } from './signed-path.ts';

/** A draft with its files, in the order in which they were added. */
export interface DraftWithFiles {
  draft: Draft;
  files: DraftAttachment[];
}

/**
 * A person's own draft.
 * @throws 404
 */
export async function findOwnDraft(ctx: Ctx, userId: string, draftId: string): Promise<DraftWithFiles> {
  const draft = await Draft.findOne({ where: { id: draftId, userId }, transaction: ctx.tx });
  if (!draft) throw notFound('draft');
  const files = await DraftAttachment.findAll({ where: { draftId }, order: [['id', 'ASC']], transaction: ctx.tx });
  return { draft, files };
}

function presentCore(draft: ListedDraft['draft']) {
  return {
    _id: String(draft.id),
    recipient_emails_to: draft.toList,
    recipient_emails_cc: draft.ccList,
    recipient_emails_bcc: draft.bccList,
    subject: draft.subject,
    star_status: draft.starStatus,
    updatedAt: draft.updatedAt.toISOString(),
  };
}

/** A row of the list of drafts. */
export function presentDraftRow({ draft, recipients, files }: ListedDraft): DraftRowDto {
  const row = presentCore(draft);
  return {
    ...row,
    ...presentRowTexts(row),
    recipients_count: recipients,
    body: cutForRow(draft.preview, 'preview'),
    attachment_count: files,
    version: draft.version,
  };
}

/**
 * A draft as its writer sees it.
 * @param version the version that the writer's editor has, which may be earlier than the stored one
 */
export function presentDraft(
  { app }: Ctx,
  { draft, files, version = draft.version }: DraftWithFiles & { version?: number },
): DraftDto {
  const userId = String(draft.userId);
  return {
    ...presentCore(draft),
    from: draft.fromAddress,
    body: withPictures(app, userId, draft.body),
    version,
    attachments: files.map((file) => ({
      _id: String(file.id),
      file_path: signPath(app, 'draft-attachment', [userId, String(file.id)]),
      original_name: file.filename,
      contentType: file.contentType,
      file_type: fileType(file.contentType),
      size: file.size,
      showData: true,
    })),
  };
}

/**
 * Deletes drafts of a person for good, all or none.
 * @returns how many
 * @throws 404, 409 `changed_meanwhile`
 */
export async function removeOwnDrafts(
  ctx: Ctx,
  userId: string,
  { draft_ids: draftIds, versions }: InferBody<typeof removeDrafts>,
): Promise<number> {
  const ids = [...new Set(draftIds)];
  return await inTransaction(ctx, async (tx) => {
    const drafts = await Draft.findAll({
      attributes: [...removableDraft, 'version'],
      where: { id: ids, userId },
      order: [['id', 'ASC']],
      lock: true,
      transaction: tx.tx,
    });
    if (drafts.length < ids.length) throw notFound('draft');
    if (drafts.some(({ id, version }) => (versions[String(id)] ?? version) !== version)) {
      throw changedElsewhere(drafts.length);
    }
    for (const draft of drafts) await removeDraft(tx, draft);
    return drafts.length;
  });
}
