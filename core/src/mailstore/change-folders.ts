import type { FolderKey, FolderName } from '../contracts/mail-folders.ts';
import type { TxCtx } from '../context/context.ts';
import { insertRows } from '../database/insert-rows.ts';
import { changeRows, readRows } from '../database/run-sql.ts';
import { notFound } from '../errors.ts';
import { Folder } from '../models/folder.ts';
import { announceChanges, type FolderNotice, mostArrived } from './change-feed.ts';

/** How the counts of one person's folder change. */
export interface FolderChange {
  companyId: string;
  userId: string;
  folder: FolderKey;
  total: number;
  unread: number;
  /** Raw bytes of the messages that come and go, or of what drafts hold. */
  bytes?: number;
  /** Entries that come into it; each takes the next UID. */
  arrivals?: number;
}

/** From this number of rows on, one statement for all is cheaper than one update each. */
const bulkFrom = 4;

// The columns are unsigned: a subtraction below zero would fail, and with it every change to the
// mailbox
const added = (column: string, by: string) => `${column} = GREATEST(CAST(${column} AS SIGNED) + ${by}, 0)`;

/**
 * Changes the counts of folders, gives each of them a new MODSEQ, and reserves UIDs for the entries
 * that come in. Rows are locked in one fixed order, so that two changes wait for each other instead
 * of deadlocking. A second call in the same transaction may break that order. If it deadlocks, the
 * database rolls one transaction back, and `inTransaction` runs it again. Call this function late:
 * from here to the commit, other changes to these folders wait. After the commit the changes are
 * announced.
 * @throws AppError notFound when an entry would come into a folder that its owner has deleted
 * @returns the folders as they are now, which numbers the entries
 */
export async function changeFolders(ctx: TxCtx, changes: readonly FolderChange[]): Promise<ChangedFolders> {
  const merged = mergeChanges(changes);
  if (merged.length === 0) return new ChangedFolders([], merged);
  if (
    merged.length >= bulkFrom &&
    merged.every(
      ({ folder, total, unread, bytes = 0 }) => ownIdOf(folder) === null && total >= 0 && unread >= 0 && bytes >= 0,
    )
  ) {
    await upsertFolders(ctx, merged);
  } else for (const change of merged) await changeFolder(ctx, change);
  // Without custom folders the query searches by role alone, since every arriving message runs it
  const ownIds = merged.flatMap(({ folder }) => ownIdOf(folder) ?? []);
  const rows = await readRows<FolderRow>(
    ctx,
    `SELECT id, user_id AS userId, role, uid_next AS uidNext, highest_modseq AS modseq FROM folders
      WHERE user_id IN (?) AND ${ownIds.length === 0 ? 'role IN (?)' : '(role IN (?) OR id IN (?))'}`,
    [
      [...new Set(merged.map(({ userId }) => userId))],
      [...new Set(merged.map(({ folder }) => folder))],
      ...(ownIds.length === 0 ? [] : [ownIds]),
    ],
  );
  const changed = new ChangedFolders(rows, merged);
  ctx.tx.afterCommit(() => announceChanges(ctx.app, changed.notices()));
  return changed;
}

interface FolderRow {
  id: string;
  userId: string;
  role: FolderName | null;
  uidNext: number;
  modseq: string;
}

/** A folder after a change. */
export interface ChangedFolder {
  folderId: string;
  userId: string;
  role: FolderKey;
  /** MODSEQ of the change, which the changed entries get. */
  modseq: string;
}

/** Folders that a transaction has changed and holds locked. */
export class ChangedFolders {
  readonly #folders = new Map<string, ChangedFolder & { nextUid: number; arrived?: string[] }>();

  constructor(rows: readonly FolderRow[], changes: readonly FolderChange[]) {
    const rowByName = new Map(rows.map((row) => [nameOf(String(row.userId), row.role ?? `own:${row.id}`), row]));
    for (const { userId, folder, arrivals = 0 } of changes) {
      const row = rowByName.get(nameOf(userId, folder));
      if (row === undefined) throw new Error(`folder ${folder} of user ${userId} has no row`);
      const { id, modseq, uidNext } = row;
      const folderId = String(id);
      this.#folders.set(nameOf(userId, folder), {
        folderId,
        userId,
        role: folder,
        modseq: String(modseq),
        nextUid: Number(uidNext) - arrivals,
      });
    }
  }

  of(userId: string, role: FolderKey): ChangedFolder {
    return this.#find(userId, role);
  }

  /**
   * Folder, UID and MODSEQ for an entry that comes in. Each call takes one of the reserved UIDs.
   */
  place(userId: string, role: FolderKey): { folderId: string; uid: number; modseq: string } {
    const folder = this.#find(userId, role);
    return { folderId: folder.folderId, uid: folder.nextUid++, modseq: folder.modseq };
  }

  /** Lets the open windows of a person announce new mail in their inbox. */
  noteArrived(userId: string, entryId: string): void {
    const folder = this.#find(userId, 'inbox');
    folder.arrived ??= [];
    if (folder.arrived.length < mostArrived) folder.arrived.push(entryId);
  }

  /** What to announce about the folders after the commit. */
  notices(): FolderNotice[] {
    return [...this.#folders.values()].map(({ nextUid: _nextUid, ...folder }) => folder);
  }

  #find(userId: string, role: FolderKey) {
    const folder = this.#folders.get(nameOf(userId, role));
    if (folder === undefined) throw new Error(`folder ${role} of user ${userId} was not changed`);
    return folder;
  }
}

/** The id in the key of a folder that its owner made; null for one with a role. */
const ownIdOf = (folder: FolderKey): string | null => (folder.startsWith('own:') ? folder.slice(4) : null);

const nameOf = (userId: string, role: string): string => `${userId.padStart(20, '0')} ${role}`;

/**
 * One change for each row, ordered by person and folder. A folder in which only flags change is
 * named too, for its MODSEQ. Starred has no entries of its own, so it is left out then.
 */
function mergeChanges(changes: readonly FolderChange[]): FolderChange[] {
  const merged = new Map<string, FolderChange>();
  for (const change of changes) {
    const name = nameOf(change.userId, change.folder);
    const sum = merged.get(name);
    if (sum === undefined) merged.set(name, { ...change });
    else {
      sum.total += change.total;
      sum.unread += change.unread;
      sum.bytes = (sum.bytes ?? 0) + (change.bytes ?? 0);
      sum.arrivals = (sum.arrivals ?? 0) + (change.arrivals ?? 0);
    }
  }
  return [...merged]
    .filter(([, { folder, total, unread }]) => folder !== 'starred' || total !== 0 || unread !== 0)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([, change]) => change);
}

async function changeFolder(ctx: TxCtx, change: FolderChange): Promise<void> {
  const { total, unread, bytes = 0, arrivals = 0, userId, folder } = change;
  const ownId = ownIdOf(folder);
  // An update locks one row. An upsert also locks the gap beside it, so it is kept for rows that
  // don't exist yet
  const changed = await changeRows(
    ctx,
    `UPDATE folders SET ${added('total', '?')}, ${added('unread', '?')}, ${added('bytes', '?')}, uid_next = uid_next + ?,
            highest_modseq = highest_modseq + 1
      WHERE user_id = ? AND ${ownId === null ? 'role = ?' : 'id = ? AND role IS NULL AND (removed_at IS NULL OR ? = 0)'}`,
    [total, unread, bytes, arrivals, userId, ...(ownId === null ? [folder] : [ownId, arrivals])],
  );
  if (changed > 0) return;
  // Nothing comes into a folder that its owner has deleted
  if (ownId === null) await upsertFolders(ctx, [change]);
  else throw notFound('folder');
}

async function upsertFolders(ctx: TxCtx, changes: readonly FolderChange[]): Promise<void> {
  // A folder with a role is deleted only together with its owner, so its UIDVALIDITY never changes
  const uidValidity = Math.floor(Date.now() / 1000);
  await insertRows(
    ctx,
    Folder,
    changes.map(({ companyId, userId, folder, total, unread, bytes = 0, arrivals = 0 }) => ({
      companyId,
      userId,
      role: folder as FolderName,
      uidValidity,
      uidNext: 1 + arrivals,
      total: Math.max(total, 0),
      unread: Math.max(unread, 0),
      bytes: String(Math.max(bytes, 0)),
    })),
    `ON DUPLICATE KEY UPDATE total = total + VALUES(total), unread = unread + VALUES(unread), bytes = bytes + VALUES(bytes),
       uid_next = uid_next + VALUES(uid_next) - 1, highest_modseq = highest_modseq + 1`,
  );
}
