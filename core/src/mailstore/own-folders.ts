import { type Ctx, inTransaction, type TxCtx } from '../context/context.ts';
import { changeRows, readRows, type SqlValue } from '../database/run-sql.ts';
import { notFound } from '../errors.ts';
import { inSlices } from '../sweeps/in-slices.ts';
import type { Run } from '../sweeps/run.ts';
import { changeEntries } from './change-entries.ts';
import { lockEntries } from './change-status.ts';
import { forgetSomeOf } from './forget-removed.ts';

/*
 * Folders that a person makes (D63): rows of `folders` without a role.
 *
 *   deleted -> it has no name, and nothing comes into it any more -> a job moves its mail to the
 *   trash, batch by batch -> the UIDs that left it are forgotten, batch by batch -> its row is
 *   deleted
 *
 * Entries in the archive, Junk or the trash that would go back to a deleted folder go to the inbox.
 *
 * A mail program identifies a folder by its name and UIDVALIDITY. A folder that is made again under
 * the same name gets a larger UIDVALIDITY than any folder of the person has had, even if the clock
 * was put back. So the row with the largest value stays until the time is past that value.
 */

/** A folder that its owner made, with the fields that pages need. */
export interface OwnFolder {
  id: string;
  name: string;
  total: number;
  unread: number;
  /** Conversations. */
  threads: number;
  /** Grows with each entry that comes into the folder. */
  uidNext: number;
}

/**
 * Entries that one transaction moves out of a deleted folder. A delivery waits for at most one such
 * transaction.
 */
const batch = 500;

const columns = 'id, name, total, unread, threads, uid_next AS uidNext';

/** The folders that a person made, by name. */
export async function readOwnFolders(ctx: Ctx, userId: string): Promise<OwnFolder[]> {
  const rows = await readRows<OwnFolder>(
    ctx,
    `SELECT ${columns} FROM folders
      WHERE user_id = ? AND role IS NULL AND removed_at IS NULL ORDER BY name_key`,
    [userId],
  );
  return rows.map((row) => ({ ...row, id: String(row.id) }));
}

interface WantedFolder {
  userId: string;
  folderId: string;
}

/** @throws AppError notFound when the person has no such folder */
export async function findOwnFolder(ctx: Ctx, wanted: WantedFolder): Promise<OwnFolder> {
  const folder = await readOwnFolder(ctx, wanted);
  if (folder === null) throw notFound('folder');
  return folder;
}

/** A folder that the person made; null when there is none, or it was deleted. */
export async function readOwnFolder(ctx: Ctx, { userId, folderId }: WantedFolder): Promise<OwnFolder | null> {
  const [row] = await readRows<OwnFolder>(
    ctx,
    `SELECT ${columns} FROM folders WHERE id = ? AND user_id = ? AND role IS NULL AND removed_at IS NULL`,
    [folderId, userId],
  );
  return row === undefined ? null : { ...row, id: String(row.id) };
}

/** What is needed to create a person's next folder. */
export interface FolderFigures {
  /** How many folders the person has made and not deleted. */
  made: number;
  /** The UIDVALIDITY of the next one (RFC 9051 2.3.1.1). */
  uidValidity: number;
}

/** Call it with the person's row locked, so that no two folders get one value. */
export async function readFolderFigures(ctx: TxCtx, userId: string): Promise<FolderFigures> {
  const [row] = await readRows<{ made: number | null; latest: number | null }>(
    ctx,
    `SELECT SUM(role IS NULL AND removed_at IS NULL) AS made, MAX(uid_validity) AS latest
       FROM folders WHERE user_id = ?`,
    [userId],
  );
  return { made: Number(row?.made ?? 0), uidValidity: Math.max(secondsNow(), Number(row?.latest ?? 0) + 1) };
}

const secondsNow = (): number => Math.floor(Date.now() / 1000);

/**
 * Moves the mail of a deleted folder to the trash, in batches, and then removes its row. Another
 * run goes on where the last one stopped.
 * @returns `none` when there is no such folder, it is not deleted, or its row has to stay; `more`
 *   when the time of the run was over first
 */
export async function emptyDeletedFolder(ctx: Ctx, folderId: string, run: Run = {}): Promise<'done' | 'more' | 'none'> {
  const [folder] = await readRows<{ userId: string; companyId: string }>(
    ctx,
    'SELECT user_id AS userId, company_id AS companyId FROM folders WHERE id = ? AND removed_at IS NOT NULL',
    [folderId],
  );
  if (folder === undefined) return 'none';
  const owner = { userId: String(folder.userId), companyId: String(folder.companyId) };
  const slice = () => inTransaction(ctx, (tx) => moveSome(tx, folderId, owner));
  if ((await inSlices(slice, run)) === 'more') return 'more';
  if (!(await mayGo(ctx, folderId, owner.userId))) return 'none';
  if ((await inSlices(() => forgetSomeOf(ctx, folderId), run)) === 'more') return 'more';
  const goes = goingOf(folderId, owner.userId);
  if ((await changeRows(ctx, `DELETE FROM folders WHERE ${goes.sql}`, goes.values)) > 0) return 'done';
  // The row stays after all, without the UIDs that left it
  await changeRows(ctx, 'UPDATE folders SET forgotten_modseq = highest_modseq WHERE id = ?', [folderId]);
  return 'none';
}

/** The condition for a deleted folder whose row need not stay. */
function goingOf(folderId: string, userId: string): { sql: string; values: SqlValue[] } {
  return {
    sql: `id = ? AND removed_at IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM mailbox_entries e WHERE e.folder_id = ?)
        AND (uid_validity < ?
             OR uid_validity < (SELECT latest FROM (SELECT MAX(uid_validity) AS latest FROM folders WHERE user_id = ?) all_of_them))`,
    values: [folderId, folderId, secondsNow(), userId],
  };
}

async function mayGo(ctx: Ctx, folderId: string, userId: string): Promise<boolean> {
  const { sql, values } = goingOf(folderId, userId);
  return (await readRows(ctx, `SELECT id FROM folders WHERE ${sql}`, values)).length > 0;
}

async function moveSome(ctx: TxCtx, folderId: string, owner: { userId: string; companyId: string }): Promise<boolean> {
  const rows = await readRows<{ id: string }>(
    ctx,
    `SELECT id FROM mailbox_entries FORCE INDEX (entries_uid) WHERE folder_id = ? ORDER BY uid LIMIT ${batch}`,
    [folderId],
  );
  if (rows.length === 0) return false;
  const locked = await lockEntries(
    ctx,
    owner.userId,
    rows.map(({ id }) => String(id)),
  );
  // An entry may have left the folder meanwhile
  const entries = locked.filter((entry) => String(entry.folderId) === folderId);
  await changeEntries(ctx, { ...owner, entries }, { trashStatus: true, ownFolderId: null });
  return true;
}

/** Whether the stored counts of a person's own folders equal those of their entries. */
export async function verifyOwnFolders(ctx: Ctx, userId: string): Promise<boolean> {
  const wrong = await readRows<{ id: string }>(
    ctx,
    `SELECT f.id FROM folders f LEFT JOIN mailbox_entries e ON e.folder_id = f.id
      WHERE f.user_id = ? AND f.role IS NULL
      GROUP BY f.id, f.total, f.unread
     HAVING f.total <> COUNT(e.id) OR f.unread <> COALESCE(SUM(e.read_status = 0), 0)
         OR COALESCE(SUM(e.id IS NOT NULL AND (e.folder <> 'own' OR COALESCE(e.own_folder_id, 0) <> f.id)), 0) > 0`,
    [userId],
  );
  return wrong.length === 0;
}
