import { QueryTypes } from 'sequelize';
import { folderNames } from '../contracts/mail.ts';
import { FolderTotal } from '../models/folder-total.ts';
import { type Ctx, inTransaction, type TxCtx } from '../context/context.ts';
import { readTotals, type Totals } from './totals.ts';

/** What the kept totals should be, counted from the entries and drafts. Slow on a large mailbox. */
async function countTotals(ctx: Ctx, userId: string): Promise<Totals> {
  const rows = await ctx.app.db.query<{ folder: string; total: number | string; unread: number | string }>(
    `SELECT folder, COUNT(*) AS total, COALESCE(SUM(read_status = 0), 0) AS unread
       FROM mailbox_entries WHERE user_id = :userId AND folder <> 'gone' GROUP BY folder
     UNION ALL SELECT 'starred', COUNT(*), COALESCE(SUM(read_status = 0), 0)
       FROM mailbox_entries WHERE user_id = :userId AND star_status = 1 AND folder IN ('inbox', 'sent', 'archive')
     UNION ALL SELECT 'draft', COUNT(*), 0 FROM drafts WHERE user_id = :userId`,
    { replacements: { userId }, type: QueryTypes.SELECT, transaction: ctx.tx },
  );
  const totals = folderNames.map((name) => {
    const row = rows.find(({ folder }) => folder === name);
    return [name, { total: Number(row?.total ?? 0), unread: Number(row?.unread ?? 0) }] as const;
  });
  return Object.fromEntries(totals) as Totals;
}

/** True when the kept totals of a person equal a count. */
export async function verifyTotals(ctx: Ctx, userId: string): Promise<boolean> {
  const [kept, counted] = [await readTotals(ctx, userId), await countTotals(ctx, userId)];
  return folderNames.every(
    (name) => kept[name].total === counted[name].total && kept[name].unread === counted[name].unread,
  );
}

/**
 * Sets the kept totals of a person to a count. Changes at the same time come out right: the totals
 * are locked before the count, so a change is either counted, or still waits to add itself.
 */
export async function recountTotals(ctx: Ctx, owner: { companyId: string; userId: string }): Promise<Totals> {
  return await inTransaction(ctx, async (tx) => {
    await lockTotals(tx, owner);
    const counted = await countTotals(tx, owner.userId);
    for (const folder of [...folderNames].sort()) {
      const where = { userId: owner.userId, folder };
      await FolderTotal.update(counted[folder], { where, transaction: tx.tx });
    }
    return counted;
  });
}

/** Makes the missing rows and locks all rows, in the order in which `changeTotals` takes them. */
async function lockTotals(ctx: TxCtx, owner: { companyId: string; userId: string }): Promise<void> {
  for (const folder of [...folderNames].sort()) {
    await ctx.app.db.query(
      `INSERT INTO folder_totals (company_id, user_id, folder, total, unread)
       VALUES (:companyId, :userId, :folder, 0, 0) ON DUPLICATE KEY UPDATE total = total`,
      { replacements: { ...owner, folder }, type: QueryTypes.INSERT, transaction: ctx.tx },
    );
  }
}
