import { requireInFolder, requireOnEntries } from '../access/mail-permissions.ts';
import { type Ctx, inTransaction, type TxCtx } from '../context/context.ts';
import type { WholeFolder } from '../contracts/mail-folders.ts';
import { readRows } from '../database/run-sql.ts';
import { notFound } from '../errors.ts';
import type { MailboxEntry } from '../models/mailbox-entry.ts';
import { lockEntries } from './change-status.ts';
import { type EntryFlags, flagsOf, folderOf } from './folders.ts';

/*
 * Changes all entries of a folder. Each call walks the folder by its UIDs, the newest first, in
 * slices of one transaction each, for some seconds at most. The client sends back where the last
 * call stopped, so the server keeps no state of the walk.
 */

/**
 * Entries that one transaction changes. A delivery to the folder waits for at most one such
 * transaction.
 */
const batch = 500;
/** How long one call goes on at most: a request must not hold a connection for long. */
const limitMs = 2_000;

/** A folder of one person. */
export interface FolderOfPerson {
  userId: string;
  folder: WholeFolder;
}

/** The contents of a folder at one moment. */
interface FolderMark {
  /** The UID that the next entry gets: later arrivals are not below it. */
  until: string;
  total: number;
  unread: number;
}

/**
 * Reads the numbers of a folder before a change of all of it. The person sees them before they
 * agree to the change, and later arrivals are not changed.
 * @throws AppError 403 when the actor may not view the folder; 404 when the person has no such
 *   folder
 */
export async function markFolder(ctx: Ctx, { userId, folder }: FolderOfPerson): Promise<FolderMark> {
  requireInFolder(ctx, kindOf(folder), 'view');
  const row = await findFolder(ctx, { userId, folder });
  return { until: String(row?.uidNext ?? 1), total: row?.total ?? 0, unread: row?.unread ?? 0 };
}

type WalkedFlag = 'ownFolderId' | 'readStatus' | 'starStatus' | 'archiveStatus' | 'trashStatus' | 'junkStatus';

/** The place and the flags of an entry, as far as a change of a whole folder may change them. */
export type WalkedEntry = Pick<EntryFlags, WalkedFlag> & { id: string };

/** A change of all of a folder, and where this call goes on. */
interface Walk<T> extends FolderOfPerson {
  /**
   * Only entries with a lower UID are changed: at first those below the mark, then those below the
   * `until` that the call before has returned.
   */
  until: string;
  /** The permission on the folder that the change needs. */
  action: 'edit' | 'delete';
  /** Picks the entries that the change makes different. */
  choose: (entries: WalkedEntry[]) => WalkedEntry[] | Promise<WalkedEntry[]>;
  /** Changes entries, which are locked. Returns those that had other values before. */
  change: (ctx: TxCtx, entries: MailboxEntry[]) => Promise<T[]>;
}

/** How far a change of a folder has come. */
export interface FolderProgress<T> {
  /** The entries that had other values before. */
  touched: T[];
  /** Entries that were read. */
  seen: number;
  /** The UID below which the next call goes on. */
  until: string;
  isLeft: boolean;
}

/**
 * Changes the entries of a folder below a UID. An entry that leaves the folder meanwhile, or has
 * returned to it, is not changed.
 * @throws AppError 403 when the actor may not change, or delete, what is in the folder; 404 when
 *   the person has no such folder
 */
export async function walkFolder<T>(
  ctx: Ctx,
  { userId, folder, until, action, choose, change }: Walk<T>,
): Promise<FolderProgress<T>> {
  requireInFolder(ctx, kindOf(folder), action);
  const row = await findFolder(ctx, { userId, folder });
  const progress: FolderProgress<T> = { touched: [], seen: 0, until, isLeft: row !== undefined };
  const endsAt = Date.now() + limitMs;
  while (row !== undefined && progress.isLeft && (progress.seen === 0 || Date.now() < endsAt)) {
    const slice = await entriesBelow(ctx, row.id, progress.until);
    const entryIds = (await choose(slice)).map(({ id }) => id);
    const belowUid = Number(progress.until);
    const take = async (tx: TxCtx): Promise<T[]> => {
      const entries = (await lockEntries(tx, userId, entryIds)).filter(
        (entry) => String(entry.folderId) === row.id && Number(entry.uid) < belowUid,
      );
      const places = entries.map((entry) => ({ folder: folderOf(flagsOf(entry)), starStatus: entry.starStatus }));
      requireOnEntries(tx, places, action);
      return entries.length > 0 ? await change(tx, entries) : [];
    };
    if (entryIds.length > 0) progress.touched.push(...(await inTransaction(ctx, take)));
    progress.seen += slice.length;
    progress.until = String(slice.at(-1)?.uid ?? 0);
    progress.isLeft = slice.length === batch;
  }
  return progress;
}

interface FolderRow {
  id: string;
  uidNext: number;
  total: number;
  unread: number;
}

/** Permissions treat all folders that a person made as one kind. */
function kindOf(folder: WholeFolder) {
  return isOwn(folder) ? 'own' : folder;
}

function isOwn(folder: WholeFolder): folder is `own:${string}` {
  return folder.startsWith('own:');
}

async function findFolder(ctx: Ctx, { userId, folder }: FolderOfPerson): Promise<FolderRow | undefined> {
  const [row] = await readRows<FolderRow>(
    ctx,
    `SELECT id, uid_next AS uidNext, total, unread FROM folders
      WHERE user_id = ? AND ${isOwn(folder) ? 'id = ? AND role IS NULL AND removed_at IS NULL' : 'role = ?'}`,
    [userId, isOwn(folder) ? folder.slice(4) : folder],
  );
  // A folder with a role has no row before its first message
  if (row === undefined && isOwn(folder)) throw notFound('folder');
  return row && { ...row, id: String(row.id) };
}

interface Slice {
  id: string;
  uid: number;
  ownFolderId: string | null;
  readStatus: number;
  starStatus: number;
  archiveStatus: number;
  trashStatus: number;
  junkStatus: number;
}

/**
 * Reads entries whatever their flags: a query for the entries that differ could scan a whole folder
 * at once.
 */
async function entriesBelow(ctx: Ctx, folderId: string, until: string): Promise<(WalkedEntry & { uid: number })[]> {
  const rows = await readRows<Slice>(
    ctx,
    `SELECT id, uid, own_folder_id AS ownFolderId, read_status AS readStatus, star_status AS starStatus,
            archive_status AS archiveStatus, trash_status AS trashStatus, junk_status AS junkStatus
       FROM mailbox_entries FORCE INDEX (entries_uid) WHERE folder_id = ? AND uid < ? ORDER BY uid DESC LIMIT ${batch}`,
    [folderId, until],
  );
  return rows.map(({ id, uid, ownFolderId, ...flags }) => ({
    id: String(id),
    uid,
    ownFolderId: ownFolderId === null ? null : String(ownFolderId),
    readStatus: Number(flags.readStatus) === 1,
    starStatus: Number(flags.starStatus) === 1,
    archiveStatus: Number(flags.archiveStatus) === 1,
    trashStatus: Number(flags.trashStatus) === 1,
    junkStatus: Number(flags.junkStatus) === 1,
  }));
}
