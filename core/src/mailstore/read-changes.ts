import { notFound } from '../errors.ts';
import type { Ctx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';

/** An entry of a folder that has come or changed, as a mail program names it. */
export interface ChangedEntry {
  id: string;
  uid: number;
  modseq: string;
  flags: string[];
}

/** What happened in a folder since a MODSEQ (RFC 7162). */
export interface FolderChanges {
  uidValidity: number;
  uidNext: number;
  /** Everything up to this number is in the answer: ask for what is behind it the next time. */
  highestModseq: string;
  /** By UID. */
  changed: ChangedEntry[];
  /** UIDs that are no longer in the folder, ascending. */
  vanished: number[];
}

/**
 * What changed in a folder of a person behind `since`; from '0', all of it. Entries that come while
 * this reads come with the next call. A reader that keeps a copy of a folder asks with the number
 * of the latest answer.
 * @throws AppError notFound when the person has no such folder
 */
export async function readChanges(
  ctx: Ctx,
  { userId, folderId, since }: { userId: string; folderId: string; since: string },
): Promise<FolderChanges> {
  const [folder] = await readRows<{ uidValidity: number; uidNext: number; highestModseq: string }>(
    ctx,
    `SELECT uid_validity AS uidValidity, uid_next AS uidNext, highest_modseq AS highestModseq FROM folders
      WHERE id = ? AND user_id = ?`,
    [folderId, userId],
  );
  if (folder === undefined) throw notFound('folder');
  const vanished = await readRows<{ uid: number }>(
    ctx,
    'SELECT DISTINCT uid FROM expunged_entries WHERE folder_id = ? AND modseq > ? AND modseq <= ? ORDER BY uid',
    [folderId, since, folder.highestModseq],
  );
  // The flags of an entry may change while this reads, which gives it a higher number. It is read
  // all the same: entries are seen in the order of their UIDs (RFC 9051 2.3.1.1)
  const entries = await readRows<EntryRow>(
    ctx,
    `SELECT id, uid, modseq, read_status AS seen, star_status AS flagged, draft_status AS draft,
            answered_status AS answered, forwarded_status AS forwarded, keywords
       FROM mailbox_entries WHERE folder_id = ? AND modseq > ? AND uid < ? ORDER BY uid`,
    [folderId, since, folder.uidNext],
  );
  return { ...folder, vanished: vanished.map(({ uid }) => uid), changed: entries.map(changedEntry) };
}

interface EntryRow {
  id: string;
  uid: number;
  modseq: string;
  seen: number;
  flagged: number;
  draft: number;
  answered: number;
  forwarded: number;
  keywords: string[] | string | null;
}

/** The columns of flags and their names in mail programs (RFC 9051 2.3.2, RFC 5788). */
const flagNames = {
  seen: '\\Seen',
  flagged: '\\Flagged',
  draft: '\\Draft',
  answered: '\\Answered',
  forwarded: '$Forwarded',
} as const;

function changedEntry({ id, uid, modseq, keywords, ...row }: EntryRow): ChangedEntry {
  const set = Object.entries(flagNames).flatMap(([name, flag]) =>
    Number(row[name as keyof typeof flagNames]) === 1 ? [flag] : [],
  );
  const own = typeof keywords === 'string' ? (JSON.parse(keywords) as string[]) : (keywords ?? []);
  return { id: String(id), uid: Number(uid), modseq: String(modseq), flags: [...set, ...own] };
}
