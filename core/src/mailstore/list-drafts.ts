import type { Ctx } from '../context/context.ts';
import { DraftAttachment } from '../models/draft-attachment.ts';
import { Draft } from '../models/draft.ts';

/** A row of the list of drafts; `files` is the number of its files. */
export interface ListedDraft {
  draft: Omit<Draft, 'body'>;
  files: number;
}

/** One page of a person's drafts, the one that was saved last first, and how many there are. */
export async function listDrafts(
  ctx: Ctx,
  { userId, page, limit }: { userId: string; page: number; limit: number },
): Promise<{ rows: ListedDraft[]; total: number }> {
  const { rows, count } = await Draft.findAndCountAll({
    where: { userId },
    attributes: { exclude: ['body'] },
    order: [
      ['updatedAt', 'DESC'],
      ['id', 'DESC'],
    ],
    offset: (page - 1) * limit,
    limit,
    transaction: ctx.tx,
  });
  const draftId = rows.map(({ id }) => String(id));
  const counts = await DraftAttachment.count({ where: { draftId }, group: ['draftId'], transaction: ctx.tx });
  const byDraft = new Map(counts.map((row) => [String(row['draftId']), row.count]));
  return { rows: rows.map((draft) => ({ draft, files: byDraft.get(String(draft.id)) ?? 0 })), total: count };
}
