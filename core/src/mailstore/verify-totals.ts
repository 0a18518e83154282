import { QueryTypes } from 'sequelize';
import { folderNames } from '../contracts/mail-folders.ts';
import type { Ctx } from '../context/context.ts';
import { verifyStorage } from './check-storage.ts';
import { verifyThreads } from './check-threads.ts';
import { verifyLabels } from './check-labels.ts';
import { shownFoldersInSql } from './folders.ts';
import { verifyOwnFolders } from './own-folders.ts';
import { readTotals, type Totals } from './totals.ts';

/**
 * What the stored totals should be, counted from the entries and drafts. Slow on a large mailbox.
 */
async function countTotals(ctx: Ctx, userId: string): Promise<Totals> {
  const rows = await ctx.app.db.query<{ folder: string; total: number | string; unread: number | string }>(
    `SELECT folder, COUNT(*) AS total, COALESCE(SUM(read_status = 0), 0) AS unread
       FROM mailbox_entries WHERE user_id = :userId AND folder NOT IN ('draft', 'gone') GROUP BY folder
     UNION ALL SELECT 'starred', COUNT(*), COALESCE(SUM(read_status = 0), 0)
       FROM mailbox_entries WHERE user_id = :userId AND star_status = 1 AND folder IN (${shownFoldersInSql})
     UNION ALL SELECT 'draft', COUNT(*), 0 FROM drafts WHERE user_id = :userId`,
    { replacements: { userId }, type: QueryTypes.SELECT, transaction: ctx.tx },
  );
  const totals = folderNames.map((name) => {
    const row = rows.find(({ folder }) => folder === name);
    return [name, { total: Number(row?.total ?? 0), unread: Number(row?.unread ?? 0) }] as const;
  });
  return Object.fromEntries(totals) as Totals;
}

/**
 * Whether the stored totals, conversations, labels, folders and bytes of a person equal a count.
 */
export async function verifyTotals(ctx: Ctx, userId: string): Promise<boolean> {
  const [kept, counted] = [await readTotals(ctx, userId), await countTotals(ctx, userId)];
  const areTotalsTrue = folderNames.every(
    (name) => kept[name].total === counted[name].total && kept[name].unread === counted[name].unread,
  );
  const areOthersTrue =
    (await verifyThreads(ctx, userId)) && (await verifyLabels(ctx, userId)) && (await verifyOwnFolders(ctx, userId));
  return areTotalsTrue && areOthersTrue && (await verifyStorage(ctx, userId));
}
