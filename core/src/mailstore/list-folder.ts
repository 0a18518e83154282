import type { FolderFilter } from '../contracts/mail.ts';
import type { FolderName } from '../contracts/mail-folders.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import { Message } from '../models/message.ts';
import { readRows } from '../database/run-sql.ts';
import { requireInFolder } from '../access/mail-permissions.ts';
import type { Ctx } from '../context/context.ts';
import { readLabelIds } from './entry-labels.ts';
import { type LabelledEntry, listedColumns, type ListedEntry } from './find-entry.ts';
import { shownFoldersInSql } from './folders.ts';
import { findOwnFolder } from './own-folders.ts';
import { readSnoozes } from './read-times.ts';
import { type FolderCounts, readFolders } from './totals.ts';

/** Which page of which folder. */
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

/*
 * A page takes three steps: the kept total, the ids of the page from an index in the page's order,
 * and the rows of these ids. Only the second step grows with the number of the page: it skips index
 * records, from the nearer end of the folder. It reads no rows for that; a million records take
 * some tenths of a second. A page behind the last one is answered from the total.
 */
/**
 * Pages that begin before this entry are always read from the newest, whatever the kept total is.
 */
const NEAR = 1000;

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

/**
 * One page of a folder, newest first, and how many entries the folder has.
 * @throws AppError 403 when the actor may not view the folder, notFound when the person has none of
 *   this id
 */
export async function listFolder(
  ctx: Ctx,
  { userId, filter = 'received_status', ownFolderId, page, limit }: FolderPageRequest,
): Promise<{ rows: ListedEntry[]; total: number }> {
  const name = ownFolderId === undefined ? folderOfFilter[filter] : 'own';
  const { folder } = await findFolder(ctx, { userId, filter, ownFolderId });
  if (folder === undefined) return { rows: [], total: 0 };
  const { id: folderId, total } = folder;
  const ids = await readSlice({ total, offset: (page - 1) * limit, limit }, (order, offset, count) =>
    idsInOrder(ctx, { userId, folder: name, folderId }, `arrived_at ${order}, id ${order}`, offset, count),
  );
  return { rows: await readListed(ctx, ids), total };
}

/** A folder that a page is of, and the other folders of the person where they were read with it. */
interface FoundFolder {
  /** Undefined where it never had an entry. */
  folder: Omit<FolderCounts, 'role'> | undefined;
  all: FolderCounts[] | null;
}

/**
 * The folder that a page is of.
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

/** Entries as lists show them, in the order of the ids. */
export async function readListed(ctx: Ctx, ids: readonly string[]): Promise<ListedEntry[]> {
  return await readWith(ctx, ids, [...listedColumns]);
}

/** Entries with their whole messages and their labels, in the order of the ids. */
export async function readEntries(ctx: Ctx, ids: readonly string[]): Promise<LabelledEntry[]> {
  return await readWith(ctx, ids);
}

async function readWith(ctx: Ctx, ids: readonly string[], attributes?: string[]): Promise<LabelledEntry[]> {
  if (ids.length === 0) return [];
  const entries = await MailboxEntry.findAll({ where: { id: [...ids] }, transaction: ctx.tx });
  const messages = await Message.findAll({
    ...(attributes && { attributes }),
    where: { id: [...new Set(entries.map(({ messageId }) => messageId))] },
    transaction: ctx.tx,
  });
  const snoozes = await readSnoozes(ctx, entries);
  const labels = await readLabelIds(ctx, ids);
  const entryById = new Map(entries.map((entry) => [String(entry.id), entry]));
  const messageById = new Map(messages.map((message) => [String(message.id), message]));
  return ids.flatMap((id) => {
    const entry = entryById.get(id);
    const message = entry && messageById.get(String(entry.messageId));
    if (!entry || !message) return [];
    return [{ entry, message, snoozedUntil: snoozes.get(id) ?? null, labelIds: labels.get(id) ?? [] }];
  });
}

/**
 * The rows of a page, newest first, read from the nearer end.
 * @param read gives `count` rows behind the first `offset` ones in an order
 */
export async function readSlice<Row>(
  { total, offset, limit }: { total: number; offset: number; limit: number },
  read: (order: 'ASC' | 'DESC', offset: number, count: number) => Promise<Row[]>,
): Promise<Row[]> {
  if (offset < NEAR) return await read('DESC', offset, limit);
  if (offset >= total) return [];
  if (offset <= total / 2) return await read('DESC', offset, limit);
  const count = Math.min(limit, total - offset);
  return (await read('ASC', total - offset - count, count)).reverse();
}

interface Place {
  userId: string;
  folder: FolderName | 'own';
  folderId: string;
}

async function idsInOrder(ctx: Ctx, { userId, folder, folderId }: Place, order: string, offset: number, limit: number) {
  const [index, where, key] =
    folder === 'starred'
      ? ['entries_starred', `user_id = ? AND star_status = 1 AND folder IN (${shownFoldersInSql})`, userId]
      : ['entries_page', 'folder_id = ?', folderId];
  const rows = await readRows<{ id: string }>(
    ctx,
    `SELECT id FROM mailbox_entries FORCE INDEX (${index}) WHERE ${where} ORDER BY ${order} LIMIT ? OFFSET ?`,
    [key, limit, offset],
  );
  return rows.map(({ id }) => String(id));
}
