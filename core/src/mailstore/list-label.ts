import { mayOnEntry } from '../access/mail-permissions.ts';
import type { Ctx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import { notFound } from '../errors.ts';
import { type ListedEntry, readListed } from './read-listed.ts';
import { readSlice } from './read-page.ts';

/**
 * One page of a label, newest first, and how many messages it shows. It costs as much as a page of
 * a folder. Entries of folders that the actor may not view are left out of the page.
 * @throws AppError notFound when the person has no such label
 */
export async function listLabel(
  ctx: Ctx,
  { userId, labelId, page, limit }: { userId: string; labelId: string; page: number; limit: number },
): Promise<{ rows: ListedEntry[]; total: number }> {
  const [label] = await readRows<{ total: number }>(
    ctx,
    'SELECT total FROM labels WHERE id = ? AND user_id = ? AND removed_at IS NULL',
    [labelId, userId],
  );
  if (label === undefined) throw notFound('label');
  const total = Number(label.total);
  const ids = await readSlice({ total, offset: (page - 1) * limit, limit }, async (order, offset, count) => {
    const rows = await readRows<{ id: string }>(
      ctx,
      `SELECT entry_id AS id FROM entry_labels FORCE INDEX (entry_labels_page) WHERE label_id = ? AND is_shown = 1
        ORDER BY arrived_at ${order}, entry_id ${order} LIMIT ? OFFSET ?`,
      [labelId, count, offset],
    );
    return rows.map(({ id }) => String(id));
  });
  const rows = (await readListed(ctx, ids)).filter(({ entry }) => mayOnEntry(ctx, entry, 'view'));
  return { rows, total };
}
