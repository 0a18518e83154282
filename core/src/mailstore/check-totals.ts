import { type Ctx, inTransaction } from '../context/context.ts';
import type { FolderKey, FolderName } from '../contracts/mail-folders.ts';
import { readRows } from '../database/run-sql.ts';
import { log } from '../log.ts';
import { changeFolders } from './change-folders.ts';
import { workOnStep } from './work-on-step.ts';
import { shownFoldersInSql } from './folders.ts';

/** The messages of a folder and those that are unread. */
interface Figures {
  total: number;
  unread: number;
}

interface Compared {
  companyId: string;
  userId: string;
  folder: FolderKey;
  kept: Figures;
  counted: Figures;
}

/**
 * Compares the stored totals of the next hundred folders past `after` with a count, and adds the
 * differences. One statement reads both figures of a folder at the same moment, so mail that comes
 * and goes meanwhile stays counted.
 * @returns how many folders were wrong
 */
export async function mendTotals(ctx: Ctx, after: string, signal?: AbortSignal): Promise<number> {
  let mended = 0;
  const failure = 'the messages of a folder could not be counted';
  await workOnStep(ctx, 'folders', { after, failure, signal }, async (folderId) => {
    const found = await compare(ctx, folderId);
    if (found === null || areEqual(found)) return;
    const { kept, counted, ...folder } = found;
    log.error('the stored totals of a folder were wrong and are corrected', { folderId, ...folder, kept, counted });
    const change = { ...folder, total: counted.total - kept.total, unread: counted.unread - kept.unread };
    await inTransaction(ctx, (tx) => changeFolders(tx, [change]));
    mended += 1;
  });
  return mended;
}

function areEqual({ kept, counted }: Compared): boolean {
  return kept.total === counted.total && kept.unread === counted.unread;
}

async function compare(ctx: Ctx, folderId: string): Promise<Compared | null> {
  const [folder] = await readRows<{ role: FolderName | null }>(ctx, 'SELECT role FROM folders WHERE id = ?', [
    folderId,
  ]);
  if (folder === undefined) return null;
  const [row] = await readRows<Record<'companyId' | 'userId' | keyof Figures | 'totalNow' | 'unreadNow', string>>(
    ctx,
    `SELECT f.company_id AS companyId, f.user_id AS userId, f.total, f.unread, n.total AS totalNow, n.unread AS unreadNow
       FROM folders f JOIN (${countIn(folder.role)}) n WHERE f.id = ?`,
    [folderId, folderId],
  );
  if (row === undefined) return null;
  return {
    companyId: String(row.companyId),
    userId: String(row.userId),
    folder: folder.role ?? `own:${folderId}`,
    kept: { total: Number(row.total), unread: Number(row.unread) },
    counted: { total: Number(row.totalNow), unread: Number(row.unreadNow) },
  };
}

/** A query that counts a folder's contents; its placeholder is the id of the folder. */
function countIn(role: FolderName | null): string {
  const owner = '(SELECT user_id FROM folders WHERE id = ?)';
  if (role === 'draft') return `SELECT COUNT(*) AS total, 0 AS unread FROM drafts WHERE user_id = ${owner}`;
  const counted = 'SELECT COUNT(*) AS total, COALESCE(SUM(read_status = 0), 0) AS unread FROM mailbox_entries';
  return role === 'starred'
    ? `${counted} FORCE INDEX (entries_starred)
        WHERE user_id = ${owner} AND star_status = 1 AND folder IN (${shownFoldersInSql})`
    : `${counted} FORCE INDEX (entries_page) WHERE folder_id = ?`;
}
