import { parseJsonColumn } from '../database/parse-json-column.ts';
import type { Ctx } from '../context/context.ts';
import { isDiskDamaged } from '../errors.ts';
import { readRows } from '../database/run-sql.ts';
import { addressWords } from '../mail/address-words.ts';
import { isUnreadable } from '../mail/parsed-message.ts';
import type { EntryFacts, EntryTexts, NewEntry } from '../search-index/index-messages.ts';

/** The present state of a folder in the database. */
export interface SourceFolder {
  folderId: string;
  uidValidity: number;
  highestModseq: string;
  /** The records of UIDs that left it up to this MODSEQ are deleted. */
  forgottenModseq: string;
  total: number;
}

/** An entry of a folder, without its message. */
export interface SourceEntry extends EntryFacts {
  messageId: string;
  modseq: string;
  /** When it came first. */
  arrivedAt: number;
  /** The time by which its folder is ordered: when it came, or came back after a snooze. */
  placedAt: number;
  blindCopies: string[];
}

/**
 * The folders whose entries are indexed. Starred shows entries of other folders, and scheduled
 * messages are indexed when they have left.
 */
export async function readFolders(ctx: Ctx, userId: string): Promise<SourceFolder[]> {
  const rows = await readRows<SourceFolder>(
    ctx,
    `SELECT id AS folderId, uid_validity AS uidValidity, highest_modseq AS highestModseq,
            forgotten_modseq AS forgottenModseq, total FROM folders
      WHERE user_id = ? AND (role IS NULL OR role NOT IN ('starred', 'scheduled')) ORDER BY id`,
    [userId],
  );
  return rows.map(({ folderId, uidValidity, highestModseq, forgottenModseq, total }) => ({
    folderId: String(folderId),
    uidValidity: Number(uidValidity),
    highestModseq: String(highestModseq),
    forgottenModseq: String(forgottenModseq),
    total: Number(total),
  }));
}

const columns = `id, folder_id AS folderId, message_id AS messageId, uid, modseq, read_status AS isRead,
  star_status AS isStarred, COALESCE(first_arrived_at, arrived_at) AS arrivedAt, arrived_at AS placedAt,
  bcc_list AS blindCopies`;

interface EntryRow {
  id: string;
  folderId: string;
  messageId: string;
  uid: number;
  modseq: string;
  isRead: number;
  isStarred: number;
  arrivedAt: Date;
  placedAt: Date;
  blindCopies: string[] | string | null;
}

/** Entries of a folder that stand behind a given one, the newest first. */
export async function readOlder(
  ctx: Ctx,
  { folderId, behind, limit }: { folderId: string; behind: { placedAt: number; id: string } | null; limit: number },
): Promise<SourceEntry[]> {
  const moment = new Date(behind?.placedAt ?? 0);
  const condition = behind ? 'AND arrived_at <= ? AND (arrived_at < ? OR id < ?)' : '';
  const rows = await readRows<EntryRow>(
    ctx,
    `SELECT ${columns} FROM mailbox_entries FORCE INDEX (entries_page)
      WHERE folder_id = ? ${condition} ORDER BY arrived_at DESC, id DESC LIMIT ?`,
    [folderId, ...(behind ? [moment, moment, behind.id] : []), limit],
  );
  return rows.map(entryOf);
}

/**
 * Entries of a folder that came or changed after `since`, up to `upTo`, and the MODSEQ up to which
 * the list is complete. Entries with the same MODSEQ are never split.
 */
export async function readChanged(
  ctx: Ctx,
  { folderId, since, upTo, limit }: { folderId: string; since: string; upTo: string; limit: number },
): Promise<{ entries: SourceEntry[]; modseq: string }> {
  const select = `SELECT ${columns} FROM mailbox_entries FORCE INDEX (entries_changes) WHERE folder_id = ?`;
  const rows = await readRows<EntryRow>(ctx, `${select} AND modseq > ? AND modseq <= ? ORDER BY modseq LIMIT ?`, [
    folderId,
    since,
    upTo,
    limit,
  ]);
  const { rows: whole, modseq } = wholeChanges(rows, limit) ?? {
    rows: await readRows<EntryRow>(ctx, `${select} AND modseq = ?`, [folderId, String(rows[0]?.modseq)]),
    modseq: String(rows[0]?.modseq),
  };
  return { entries: whole.map(entryOf), modseq: modseq ?? upTo };
}

/**
 * The UIDs that left a folder after `since`, up to `upTo`, and the MODSEQ up to which the list is
 * complete. UIDs with the same MODSEQ are never split.
 */
export async function readRemoved(
  ctx: Ctx,
  { folderId, since, upTo, limit }: { folderId: string; since: string; upTo: string; limit: number },
): Promise<{ uids: number[]; modseq: string }> {
  const select = 'SELECT uid, modseq FROM expunged_entries WHERE folder_id = ?';
  const rows = await readRows<{ uid: number; modseq: string }>(
    ctx,
    `${select} AND modseq > ? AND modseq <= ? ORDER BY modseq LIMIT ?`,
    [folderId, since, upTo, limit],
  );
  const { rows: whole, modseq } = wholeChanges(rows, limit) ?? {
    rows: await readRows<{ uid: number }>(ctx, `${select} AND modseq = ?`, [folderId, String(rows[0]?.modseq)]),
    modseq: String(rows[0]?.modseq),
  };
  return { uids: whole.map(({ uid }) => Number(uid)), modseq: modseq ?? upTo };
}

/**
 * The rows of a batch without those of its last MODSEQ, which may continue after the batch.
 * `modseq` is null when the batch has everything. Null when all rows of the batch have the same
 * MODSEQ.
 */
function wholeChanges<Row extends { modseq: string }>(
  rows: Row[],
  limit: number,
): { rows: Row[]; modseq: string | null } | null {
  const last = rows.at(-1);
  if (last === undefined || rows.length < limit) return { rows, modseq: null };
  const whole = rows.filter(({ modseq }) => String(modseq) !== String(last.modseq));
  const end = whole.at(-1);
  return end ? { rows: whole, modseq: String(end.modseq) } : null;
}

function entryOf({
  id,
  folderId,
  messageId,
  uid,
  modseq,
  isRead,
  isStarred,
  arrivedAt,
  placedAt,
  blindCopies,
}: EntryRow): SourceEntry {
  return {
    id: String(id),
    folderId: String(folderId),
    messageId: String(messageId),
    uid: Number(uid),
    modseq: String(modseq),
    isUnread: Number(isRead) === 0,
    isStarred: Number(isStarred) === 1,
    arrivedAt: arrivedAt.getTime(),
    placedAt: placedAt.getTime(),
    blindCopies: listOf(blindCopies),
  };
}

function listOf(value: string[] | string | null): string[] {
  return parseJsonColumn<string[] | null>(value) ?? [];
}

interface MessageRow {
  id: string;
  blobKey: string;
  size: number;
  fromName: string;
  fromAddress: string;
  subject: string;
  preview: string;
  toList: string[] | string;
  ccList: string[] | string;
  fileCount: number;
}

const readAtOnce = 4;

/** The texts of a batch are in memory together, and are indexed in one step. */
const batchBytes = 4 * 1_048_576;

/** How texts are read. */
interface Reading {
  /** The key by which reading takes turns. */
  turn: string;
  signal?: AbortSignal | undefined;
}

/**
 * Entries with the texts of their messages, without those of files, in batches. Entries whose
 * messages no longer exist are left out.
 */
export async function* withTexts(
  ctx: Ctx,
  entries: readonly SourceEntry[],
  { turn, signal }: Reading,
): AsyncGenerator<NewEntry[], void> {
  if (entries.length === 0) return;
  const messages = await readMessages(ctx, [...new Set(entries.map(({ messageId }) => messageId))]);
  const messageById = new Map(messages.map((message) => [String(message.id), message]));
  const found = entries.flatMap((entry) => {
    const message = messageById.get(entry.messageId);
    return message ? [{ entry, message }] : [];
  });
  for (const batch of batchesOf(found)) yield await readTexts(ctx, batch, { turn, signal });
}

async function readMessages(ctx: Ctx, ids: readonly string[]): Promise<MessageRow[]> {
  return await readRows<MessageRow>(
    ctx,
    `SELECT id, blob_key AS blobKey, size, from_name AS fromName, from_address AS fromAddress, subject, preview,
            to_list AS toList, cc_list AS ccList, attachment_count AS fileCount
       FROM messages WHERE id IN (?)`,
    [ids],
  );
}

interface Found {
  entry: SourceEntry;
  message: MessageRow;
}

/** Splits entries into batches of a few large messages, or many small ones. */
function* batchesOf(found: readonly Found[]): Generator<Found[]> {
  let batch: Found[] = [];
  let bytes = 0;
  for (const one of found) {
    const size = Number(one.message.size);
    if (batch.length > 0 && bytes + size > batchBytes) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(one);
    bytes += size;
  }
  yield batch;
}

async function readTexts(ctx: Ctx, batch: readonly Found[], { turn, signal }: Reading): Promise<NewEntry[]> {
  const waiting = batch.values();
  const done: NewEntry[] = [];
  const work = async (): Promise<void> => {
    for (const { entry, message } of waiting) {
      signal?.throwIfAborted();
      done.push(await newEntryOf(ctx, { entry, message }, turn));
    }
  };
  await Promise.all(Array.from({ length: readAtOnce }, work));
  return done;
}

async function newEntryOf(ctx: Ctx, { entry, message }: Found, turn: string): Promise<NewEntry> {
  const { messageId: _messageId, modseq: _modseq, placedAt: _placedAt, blindCopies: _blindCopies, ...facts } = entry;
  const fileCount = Number(message.fileCount);
  const { hasWordsInFiles, ...words } = await ownWordsOf(ctx, message, turn);
  return {
    ...facts,
    ...peopleOf(entry, message),
    ...words,
    size: Number(message.size),
    fileCount,
    hasUnreadFiles: hasWordsInFiles && fileCount > 0,
  };
}

function peopleOf({ blindCopies }: SourceEntry, { fromName, fromAddress, subject, toList, ccList }: MessageRow) {
  return {
    subject,
    sender: addressWords(`${fromName} ${fromAddress}`),
    recipients: addressWords([...listOf(toList), ...listOf(ccList), ...blindCopies].join(' ')),
  };
}

/** If a message can't be read, the words of its preview are used. */
async function ownWordsOf(ctx: Ctx, message: MessageRow, turn: string) {
  const read = await ifReadable(() => ctx.app.content.searchText(blobOf(message), turn), {
    text: message.preview,
    files: '',
    hasWordsInFiles: false,
  });
  return { body: read.text, files: read.files, hasWordsInFiles: read.hasWordsInFiles };
}

/**
 * All texts of an entry with the words of its files; null when its files have no words, were too
 * costly or are lost, or when the entry no longer exists.
 */
export async function readFileTexts(ctx: Ctx, entryId: string, turn: string): Promise<EntryTexts | null> {
  const [row] = await readRows<EntryRow>(ctx, `SELECT ${columns} FROM mailbox_entries WHERE id = ?`, [entryId]);
  const entry = row && entryOf(row);
  const [message] = entry ? await readMessages(ctx, [entry.messageId]) : [];
  if (!entry || !message) return null;
  const attached = await ifReadable(() => ctx.app.content.searchFiles(blobOf(message), turn), '');
  if (attached === '') return null;
  const { body, files } = await ownWordsOf(ctx, message, turn);
  return { ...peopleOf(entry, message), body, files, attached };
}

const blobOf = ({ blobKey, size }: MessageRow) => ({ key: blobKey, size: Number(size) });

/** Lost, damaged or too complex content must not end the indexing of the mailbox. */
async function ifReadable<T>(read: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!isUnreadable(error) && !isDiskDamaged(error)) throw error;
    return otherwise;
  }
}
