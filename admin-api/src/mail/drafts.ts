import type { InferAnswer } from '@selvage/core/contracts/endpoint';
import type { getDraft } from '@selvage/core/contracts/mail';
import { notFound } from '@selvage/core/errors';
import { Draft } from '@selvage/core/models/draft';
import { DraftAttachment } from '@selvage/core/models/draft-attachment';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import { Message } from '@selvage/core/models/message';
import type { Ctx } from '@selvage/core/context/context';
import { fileType } from './presenter.ts';
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

/** A draft as its writer sees it. */
export async function presentDraft(ctx: Ctx, { draft, files }: DraftWithFiles): Promise<InferAnswer<typeof getDraft>> {
  return {
    _id: String(draft.id),
    from: await fromOf(ctx, draft),
    recipient_emails_to: draft.toList,
    recipient_emails_cc: draft.ccList,
    recipient_emails_bcc: draft.bccList,
    subject: draft.subject,
    body: draft.body,
    star_status: draft.starStatus,
    attachments: files.map((file) => ({
      _id: String(file.id),
      file_path: signPath(ctx.app, 'draft-attachment', [String(draft.userId), String(file.id)]),
      original_name: file.filename,
      contentType: file.contentType,
      file_type: fileType(file.contentType),
      size: file.size,
      showData: true,
    })),
  };
}

/** From as it stands in the saved bytes; a draft without bytes has none. */
async function fromOf(ctx: Ctx, { entryId }: Draft): Promise<string | null> {
  const options = { transaction: ctx.tx };
  const entry = entryId && (await MailboxEntry.findByPk(entryId, { ...options, attributes: ['messageId'] }));
  const message = entry && (await Message.findByPk(entry.messageId, { ...options, attributes: ['fromAddress'] }));
  return message ? message.fromAddress : null;
}
