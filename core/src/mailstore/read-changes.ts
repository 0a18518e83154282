import { parseJsonColumn } from '../database/parse-json-column.ts';
import { notFound } from '../errors.ts';
import type { Ctx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';

/** An entry that is new or changed in a folder, in the terms of a mail program. */
export interface ChangedEntry {
  id: string;
  uid: number;
  modseq: string;
  flags: string[];
  /** Ids of its labels. Names of labels may contain characters that keywords may not. */
  labelIds: string[];
}

/** One page of what happened in a folder since a MODSEQ (RFC 7162). */
export interface FolderChanges {
  uidValidity: number;
  uidNext: number;
  /**
   * The pages hold everything up to this number. Once the reader has the last page, it passes this
   * as `since` the next time.
   */
  highestModseq: string;
  /** In the order of their UIDs. */
  changed: ChangedEntry[];
  /** UIDs that are no longer in the folder, ascending. */
  vanished: number[];
  /**
   * True when the server no longer knows all UIDs that left the folder after `since`. Then the
   * reader has to ask with `since` '0', and compare the UIDs that it knows with those that are
   * there.
   */
  isForgotten: boolean;
  /** Where the next page begins; null on the last one. */
  next: ChangesPosition | null;
}

/** How far the pages have got, and the moment of the folder that all of them show. */
export interface ChangesPosition {
  uidNext: number;
  highestModseq: string;
  /** The UIDs up to these are read. */
  changedTo: number;
  vanishedTo: number;
}

/** The changes to read. */
export interface ChangesAsked {
  userId: string;
  folderId: string;
  since: string;
  /** `next` of the page before; without it the first page is read. */
  from?: ChangesPosition;
  /** The most entries, and the most vanished UIDs, of one page. */
  limit?: number;
}

const mostOfPage = 1000;

/**
 * Reads what changed in a folder of a person after `since`, or everything in it for '0'. Entries
 * that come while the pages are read belong to the next answer. A reader that keeps a copy of a
 * folder passes the `highestModseq` of its latest answer as `since`.
 * @throws AppError notFound when the person has no such folder
 */
export async function readChanges(
  ctx: Ctx,
  { userId, folderId, since, from, limit = mostOfPage }: ChangesAsked,
): Promise<FolderChanges> {
  const [folder] = await readRows<{ uidValidity: number; uidNext: number; highestModseq: string }>(
    ctx,
    `SELECT uid_validity AS uidValidity, uid_next AS uidNext, highest_modseq AS highestModseq FROM folders
      WHERE id = ? AND user_id = ?`,
    [folderId, userId],
  );
  if (folder === undefined) throw notFound('folder');
  const { uidNext, highestModseq, changedTo, vanishedTo } = from ?? { ...folder, changedTo: 0, vanishedTo: 0 };
  const range = { folderId, since, limit };
  const vanished = await readVanished(ctx, { ...range, highestModseq, vanishedTo });
  const changed = await readChanged(ctx, { ...range, uidNext, changedTo });
  const isLast = vanished.length < limit && changed.length < limit;
  const reached = { changedTo: changed.at(-1)?.uid ?? changedTo, vanishedTo: vanished.at(-1) ?? vanishedTo };
  return {
    uidValidity: folder.uidValidity,
    uidNext,
    highestModseq,
    vanished,
    changed,
    isForgotten: since !== '0' && (await isForgotten(ctx, folderId, since)),
    next: isLast ? null : { uidNext, highestModseq, ...reached },
  };
}

/** Call it after the UIDs are read, since they may be forgotten meanwhile. */
async function isForgotten(ctx: Ctx, folderId: string, since: string): Promise<boolean> {
  const [folder] = await readRows<{ forgottenModseq: string }>(
    ctx,
    'SELECT forgotten_modseq AS forgottenModseq FROM folders WHERE id = ?',
    [folderId],
  );
  return folder === undefined || BigInt(folder.forgottenModseq) > BigInt(since);
}

type Range = Pick<ChangesAsked, 'folderId' | 'since'> & { limit: number };

async function readVanished(
  ctx: Ctx,
  { folderId, since, limit, highestModseq, vanishedTo }: Range & Pick<ChangesPosition, 'highestModseq' | 'vanishedTo'>,
): Promise<number[]> {
  const rows = await readRows<{ uid: number }>(
    ctx,
    `SELECT DISTINCT uid FROM expunged_entries WHERE folder_id = ? AND modseq > ? AND modseq <= ? AND uid > ?
      ORDER BY uid LIMIT ?`,
    [folderId, since, highestModseq, vanishedTo, limit],
  );
  return rows.map(({ uid }) => Number(uid));
}

/**
 * The flags of an entry may change during this read, which gives it a MODSEQ above `highestModseq`.
 * It is returned all the same, since pages go by UID (RFC 9051 2.3.1.1).
 */
async function readChanged(
  ctx: Ctx,
  { folderId, since, limit, uidNext, changedTo }: Range & Pick<ChangesPosition, 'uidNext' | 'changedTo'>,
): Promise<ChangedEntry[]> {
  const entries = await readRows<EntryRow>(
    ctx,
    `SELECT id, uid, modseq, read_status AS seen, star_status AS flagged, draft_status AS draft,
            answered_status AS answered, forwarded_status AS forwarded, junk_status AS junk, keywords,
            (SELECT JSON_ARRAYAGG(CAST(el.label_id AS CHAR)) FROM entry_labels el WHERE el.entry_id = mailbox_entries.id)
              AS labels
       FROM mailbox_entries WHERE folder_id = ? AND modseq > ? AND uid > ? AND uid < ? ORDER BY uid LIMIT ?`,
    [folderId, since, changedTo, uidNext, limit],
  );
  return entries.map(changedEntry);
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
  junk: number;
  keywords: string[] | string | null;
  labels: string[] | string | null;
}

/** The columns of flags and their names in mail programs (RFC 9051 2.3.2, RFC 5788). */
const flagNames = {
  seen: '\\Seen',
  flagged: '\\Flagged',
  draft: '\\Draft',
  answered: '\\Answered',
  forwarded: '$Forwarded',
  junk: '$Junk',
} as const;

function changedEntry({ id, uid, modseq, keywords, labels, ...row }: EntryRow): ChangedEntry {
  const set = Object.entries(flagNames).flatMap(([name, flag]) =>
    Number(row[name as keyof typeof flagNames]) === 1 ? [flag] : [],
  );
  // A mail program may have set $Junk as a keyword as well
  const flags = [...new Set([...set, ...listOf(keywords)])];
  return { id: String(id), uid: Number(uid), modseq: String(modseq), flags, labelIds: listOf(labels) };
}

function listOf(value: string[] | string | null): string[] {
  return parseJsonColumn<string[] | null>(value) ?? [];
}
