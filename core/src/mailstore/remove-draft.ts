import type { TxCtx } from '../context/context.ts';
import { notFound } from '../errors.ts';
import { causeOf, enqueue, enqueueAll } from '../jobs/enqueue.ts';
import { removeBlob } from '../jobs/remove-blob.ts';
import { removeMessage } from '../jobs/remove-message.ts';
import { Draft } from '../models/draft.ts';
import { DraftAttachment } from '../models/draft-attachment.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import { changeEntries } from './change-entries.ts';
import { changeFolders } from './change-folders.ts';

/**
 * What the removal of a draft needs of its row, which may hold megabytes of text and recipients.
 */
export const removableDraft = ['id', 'companyId', 'userId', 'entryId', 'bodyBytes'] as const;
type RemovableDraft = Pick<Draft, (typeof removableDraft)[number]>;

/**
 * Removes a draft with its entry and its files. After the commit, jobs remove the bytes that
 * nothing else refers to.
 * @throws AppError 404 when it no longer exists: of two calls that send the same draft at once, one
 *   fails
 */
export async function removeDraft(ctx: TxCtx, draft: RemovableDraft): Promise<void> {
  const options = { transaction: ctx.tx };
  const where = { draftId: draft.id };
  const files = await DraftAttachment.findAll({ attributes: ['blobKey', 'size'], where, ...options });
  await DraftAttachment.destroy({ where, ...options });
  const removed = await Draft.destroy({ where: { id: draft.id }, ...options });
  if (removed === 0) throw notFound('draft');
  const keys = new Set(files.map(({ blobKey }) => blobKey));
  const requests = [...keys].map((blobKey) => ({ payload: { blobKey }, causeId: causeOf(ctx) }));
  await enqueueAll(ctx, removeBlob, requests);
  await removeEntry(
    ctx,
    draft,
    files.reduce((sum, { size }) => sum + size, draft.bodyBytes),
  );
}

/**
 * Removes the entry of a draft. A job removes the message, as for any entry that its owner deletes.
 */
async function removeEntry(
  ctx: TxCtx,
  { companyId, userId, entryId }: RemovableDraft,
  ownBytes: number,
): Promise<void> {
  const owner = { companyId: String(companyId), userId: String(userId) };
  const entry = entryId && (await MailboxEntry.findByPk(entryId, { lock: true, transaction: ctx.tx }));
  const files = { ...owner, folder: 'draft', total: 0, unread: 0, bytes: -ownBytes } as const;
  if (!entry) {
    await changeFolders(ctx, [{ ...files, total: -1 }]);
    return;
  }
  await changeEntries(ctx, { ...owner, entries: [entry], beside: [files] }, { deleteStatus: true });
  await enqueue(ctx, removeMessage, { messageId: String(entry.messageId) });
}
