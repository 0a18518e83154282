import type { FolderFilter } from '../contracts/mail.ts';
import type { FolderName } from '../contracts/mail-folders.ts';
import { readRows } from '../database/run-sql.ts';
import { requireInFolder } from '../access/mail-permissions.ts';
import type { Ctx } from '../context/context.ts';
import { shownFoldersInSql } from './folders.ts';
import { findOwnFolder } from './own-folders.ts';
import { type ListedEntry, readListed } from './read-listed.ts';
import { readPage, readSlice } from './read-page.ts';
import { type FolderCounts, readFolders } from './totals.ts';

/** A page of a folder. */
export interface FolderPageRequest {
  userId: string;
  /** The inbox unless given. */
  filter?: FolderFilter;
  /** In place of a filter: the id of a folder that the person made. */
  ownFolderId?: string | undefined;
  /** From 1. */
  page: number;
  limit: number;
}

/** The folder that each filter names. */
export const folderOfFilter = {
  received_status: 'inbox',
  send_status: 'sent',
  star_status: 'starred',
  archive_status: 'archive',
  trash_status: 'trash',
  junk_status: 'junk',
  snoozed_status: 'snoozed',
} as const satisfies Record<FolderFilter, FolderName>;

/*
 * A page takes three steps: the stored total, the ids of the page from an index in the page's
 * order, and the rows of these ids. Only the second step grows with the number of the page: it
 * skips index records, from the nearer end of the folder or from a remembered place. It reads no
 * rows for that; a million records take some tenths of a second. For a page beyond the last one,
 * the total alone is enough.
 */

/**
 * One page of a folder, newest first, and how many entries the folder has.
 * @throws AppError 403 when the actor may not view the folder, notFound when the person has no
 *   folder with this id
 */
export async function listFolder(
  ctx: Ctx,
  { userId, filter = 'received_status', ownFolderId, page, limit }: FolderPageRequest,
): Promise<{ rows: ListedEntry[]; total: number }> {
  const { folder } = await findFolder(ctx, { userId, filter, ownFolderId });
  if (folder === undefined) return { rows: [], total: 0 };
  const { total } = folder;
  const isStarred = ownFolderId === undefined && filter === 'star_status';
  const slice = { offset: (page - 1) * limit, limit };
  const rows = isStarred ? await readStarred(ctx, userId, total, slice) : await readEntriesOf(ctx, folder, slice);
  const ids = rows.map(({ id }) => String(id));
  return { rows: await readListed(ctx, ids), total };
}

/** The folder of a page, and the other folders of the person if they were read with it. */
interface FoundFolder {
  /** Undefined if it never had an entry. */
  folder: Omit<FolderCounts, 'role'> | undefined;
  all: FolderCounts[] | null;
}

/**
 * The folder of a page.
 * @throws AppError as `listFolder` does
 */
export async function findFolder(
  ctx: Ctx,
  { userId, filter, ownFolderId }: { userId: string; filter: FolderFilter; ownFolderId: string | undefined },
): Promise<FoundFolder> {
  const role = folderOfFilter[filter];
  requireInFolder(ctx, ownFolderId === undefined ? role : 'own', 'view');
  if (ownFolderId !== undefined) {
    return { folder: await findOwnFolder(ctx, { userId, folderId: ownFolderId }), all: null };
  }
  const all = await readFolders(ctx, userId);
  return { folder: all.find((one) => one.role === role), all };
}

interface PageSlice {
  offset: number;
  limit: number;
}

/** Reads the ids of a page of a folder from the index of its pages. */
async function readEntriesOf(ctx: Ctx, folder: Pick<FolderCounts, 'id' | 'total' | 'uidNext'>, slice: PageSlice) {
  const list = {
    name: `folder ${folder.id}`,
    state: `${folder.uidNext} ${folder.total}`,
    total: Number(folder.total),
    columns: { at: 'arrived_at', id: 'id' },
  };
  return await readPage(ctx, list, slice, ({ order, condition, values, skip, count }) =>
    readRows<{ id: string; at: Date }>(
      ctx,
      `SELECT id, arrived_at AS at FROM mailbox_entries FORCE INDEX (entries_page)
        WHERE folder_id = ?${condition} ORDER BY arrived_at ${order}, id ${order} LIMIT ? OFFSET ?`,
      [folder.id, ...values, count, skip],
    ),
  );
}

/**
 * Starred shows entries of other folders, so no number identifies its state, and `readSlice` is
 * used.
 */
async function readStarred(ctx: Ctx, userId: string, total: number, slice: PageSlice): Promise<{ id: string }[]> {
  return await readSlice({ total, ...slice }, (order, offset, count) =>
    readRows<{ id: string }>(
      ctx,
      `SELECT id FROM mailbox_entries FORCE INDEX (entries_starred)
        WHERE user_id = ? AND star_status = 1 AND folder IN (${shownFoldersInSql})
        ORDER BY arrived_at ${order}, id ${order} LIMIT ? OFFSET ?`,
      [userId, count, offset],
    ),
  );
}
