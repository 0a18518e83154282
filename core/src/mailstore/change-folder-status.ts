import { requireInFolder } from '../access/mail-permissions.ts';
import type { Ctx } from '../context/context.ts';
import type { WholeFolder } from '../contracts/mail-folders.ts';
import { notFound } from '../errors.ts';
import { readRows } from '../database/run-sql.ts';
import { changeStatusIn, type StatusChange } from './change-status.ts';

/** Entries that one transaction changes: so long a delivery to the folder waits at most. */
const batch = 500;
/** How long one call goes on at most: a request must not hold a connection for long. */
const limitMs = 2_000;

interface FolderOfPerson {
  userId: string;
  folder: WholeFolder;
}

/** What a folder has at one moment. */
export interface FolderMark {
  /** The UID that the next entry gets: what comes later is not below it. */
  until: string;
  total: number;
  unread: number;
}

/**
 * What is in a folder now, for a change of all of it. The person sees these numbers before they
 * agree to the change, and what comes later is not changed.
 * @throws AppError 403 when the actor may not view the folder; 404 when the person has made no such
 *   one
 */
export async function markFolder(ctx: Ctx, { userId, folder }: FolderOfPerson): Promise<FolderMark> {
  requireInFolder(ctx, kindOf(folder), 'view');
  const row = await findFolder(ctx, { userId, folder });
  return { until: String(row?.uidNext ?? 1), total: row?.total ?? 0, unread: row?.unread ?? 0 };
}

interface FolderStatusChange extends FolderOfPerson {
  /** One flag, with its new value. */
  flags: StatusChange;
  /** Entries with a lower UID are changed: the mark, and then what the call before has answered. */
  until: string;
}

/** How far a change of a folder has come. */
export interface FolderProgress {
  /** The ids of the entries that had another value before. */
  touched: string[];
  /** Entries that were looked at. */
  seen: number;
  /** The UID below which the next call goes on. */
  until: string;
  isLeft: boolean;
}

/**
 * Sets a flag on all entries of a folder below a UID, the newest first, in batches of one
 * transaction each, for some seconds at most. An entry that leaves the folder meanwhile, or has
 * come into it again, stays as it is.
 * @throws AppError 403 when the actor may not change, or delete, what is in the folder; 404 when
 *   the person has made no such one
 */
export async function changeFolderStatus(
  ctx: Ctx,
  { userId, folder, flags, until }: FolderStatusChange,
): Promise<FolderProgress> {
  requireInFolder(ctx, kindOf(folder), flags.deleteStatus ? 'delete' : 'edit');
  const row = await findFolder(ctx, { userId, folder });
  const progress: FolderProgress = { touched: [], seen: 0, until, isLeft: row !== undefined };
  const endsAt = Date.now() + limitMs;
  while (row !== undefined && progress.isLeft && (progress.seen === 0 || Date.now() < endsAt)) {
    const slice = await entriesBelow(ctx, row.id, progress.until);
    const entryIds = slice.filter((entry) => differs(entry, flags)).map(({ id }) => String(id));
    if (entryIds.length > 0) {
      const place = { userId, folderId: row.id, belowUid: Number(progress.until) };
      progress.touched.push(...(await changeStatusIn(ctx, { ...place, entryIds, flags })));
    }
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

/** Folders that a person made are one kind to permissions. */
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
  // A folder of the host has no row before its first message
  if (row === undefined && isOwn(folder)) throw notFound('folder');
  return row && { ...row, id: String(row.id) };
}

interface Slice {
  id: string;
  uid: number;
  readStatus: number;
  starStatus: number;
  archiveStatus: number;
  trashStatus: number;
  junkStatus: number;
}

/** Read whatever the flags are: a search for what differs could read a whole folder at once. */
async function entriesBelow(ctx: Ctx, folderId: string, until: string): Promise<Slice[]> {
  return await readRows<Slice>(
    ctx,
    `SELECT id, uid, read_status AS readStatus, star_status AS starStatus, archive_status AS archiveStatus,
            trash_status AS trashStatus, junk_status AS junkStatus
       FROM mailbox_entries FORCE INDEX (entries_uid) WHERE folder_id = ? AND uid < ? ORDER BY uid DESC LIMIT ${batch}`,
    [folderId, until],
  );
}

function differs(entry: Slice, { deleteStatus, ...wanted }: StatusChange) {
  return (
    deleteStatus === true ||
    Object.entries(wanted).some(([name, value]) => {
      return value !== undefined && (Number(entry[name as keyof typeof wanted]) === 1) !== value;
    })
  );
}
