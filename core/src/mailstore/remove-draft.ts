import type { TxCtx } from '../context/context.ts';
import { notFound } from '../errors.ts';
import { causeOf, enqueueAll } from '../jobs/enqueue.ts';
import { removeBlob } from '../jobs/remove-blob.ts';
import { Draft } from '../models/draft.ts';
import { DraftAttachment } from '../models/draft-attachment.ts';
import { changeTotals } from './totals.ts';

/**
 * Removes a draft and its files. After the commit, jobs remove the bytes that nothing else refers
 * to.
 * @throws AppError 404 when it is gone: of two calls that send the same draft at once, one fails
 */
export async function removeDraft(ctx: TxCtx, draft: Draft): Promise<void> {
  const options = { transaction: ctx.tx };
  const where = { draftId: draft.id };
  const files = await DraftAttachment.findAll({ attributes: ['blobKey'], where, ...options });
  await DraftAttachment.destroy({ where, ...options });
  const removed = await Draft.destroy({ where: { id: draft.id }, ...options });
  if (removed === 0) throw notFound('draft');
  const keys = new Set(files.map(({ blobKey }) => blobKey));
  const requests = [...keys].map((blobKey) => ({ payload: { blobKey }, causeId: causeOf(ctx) }));
  await enqueueAll(ctx, removeBlob, requests);
  const owner = { companyId: String(draft.companyId), userId: String(draft.userId) };
  await changeTotals(ctx, [{ ...owner, folder: 'draft', total: -1, unread: 0 }]);
}
