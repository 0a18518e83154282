import { type FolderName, folderNames } from '../contracts/mail-folders.ts';
import { mayInFolder } from '../access/mail-permissions.ts';
import type { Ctx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';

/** Messages and unread messages of every folder. */
export type Totals = Record<FolderName, { total: number; unread: number }>;

/** A folder with a role, with the fields that pages need. */
export interface FolderCounts {
  id: string;
  role: FolderName;
  total: number;
  unread: number;
  /** Conversations. */
  threads: number;
  /** Grows with each entry that comes into the folder. */
  uidNext: number;
}

/** The folders with a role of a person that have a row; one without has never had an entry. */
export async function readFolders(ctx: Ctx, userId: string): Promise<FolderCounts[]> {
  return await readRows<FolderCounts>(
    ctx,
    'SELECT id, role, total, unread, threads, uid_next AS uidNext FROM folders WHERE user_id = ? AND role IS NOT NULL',
    [userId],
  );
}

/**
 * The totals that the navigation shows. A folder without a row is empty, and so is one that the
 * actor may not view.
 */
export async function readTotals(ctx: Ctx, userId: string): Promise<Totals> {
  const rows = await readFolders(ctx, userId);
  const totalOf = (name: FolderName) => {
    const row = mayInFolder(ctx, name, 'view') ? rows.find(({ role }) => role === name) : undefined;
    return { total: row?.total ?? 0, unread: row?.unread ?? 0 };
  };
  return Object.fromEntries(folderNames.map((name) => [name, totalOf(name)])) as Totals;
}
