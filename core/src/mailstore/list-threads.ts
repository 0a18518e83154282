import { escape } from 'mysql2';
import type { FolderFilter } from '../contracts/mail.ts';
import { mayInFolder } from '../access/mail-permissions.ts';
import type { Ctx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import { findFolder, type FolderPageRequest } from './list-folder.ts';
import { type ListedEntry, readListed } from './read-listed.ts';
import { readPage } from './read-page.ts';
import { type FolderCounts, readFolders } from './totals.ts';

/** The folders that have conversations: all but Starred, which shows entries of other folders. */
export type GroupedFilter = Exclude<FolderFilter, 'star_status'>;

/** A page of the conversations of a folder. */
interface ThreadsPageRequest extends FolderPageRequest {
  filter: GroupedFilter;
}

/** A writer of a conversation. */
export interface ThreadPerson {
  name: string;
  /** The writer is the owner of the mailbox. */
  isOwner: boolean;
}

/**
 * The newest entry of a conversation in a folder, and the counts of the conversation in that
 * folder. The labels are those of the latest messages.
 */
export interface ThreadRow extends ListedEntry {
  thread: {
    total: number;
    unread: number;
    starred: number;
    /**
     * Up to `mostNamed` writers of the latest messages: the latest ones, in the order of their
     * first message.
     */
    people: ThreadPerson[];
  };
}

/** How many of the latest messages of a conversation are read to name their writers. */
const mostLookedAt = 8;
/** How many of these writers are named. */
const mostNamed = 4;

/**
 * One page of the conversations of a folder, the one with the newest entry first, and how many the
 * folder has. A page costs the same however many entries its conversations have.
 * @throws AppError as `listFolder` does
 */
export async function listThreads(
  ctx: Ctx,
  { userId, filter, ownFolderId, page, limit }: ThreadsPageRequest,
): Promise<{ rows: ThreadRow[]; total: number }> {
  const { folder, all } = await findFolder(ctx, { userId, filter, ownFolderId });
  if (folder === undefined) return { rows: [], total: 0 };
  const total = folder.threads;
  const kept = await readThreads(ctx, folder, { offset: (page - 1) * limit, limit });
  const sent = (all ?? (await readFolders(ctx, userId))).find(({ role }) => role === 'sent');
  const writings = await readWritings(ctx, kept, { own: folder, sent });
  const entries = await readListed(
    ctx,
    kept.map(({ newestId }) => String(newestId)),
  );
  const labels = await readLabels(ctx, kept, folder.id);
  const byKey = new Map(kept.map((thread) => [thread.threadKey, thread]));
  const rows = entries.flatMap((item): ThreadRow[] => {
    const { threadKey } = item.entry;
    const thread = byKey.get(threadKey);
    if (thread === undefined) return [];
    const { total: count, unread, starred } = thread;
    const labelIds = labels.get(threadKey) ?? item.labelIds;
    const people = peopleOf(item, writings.get(threadKey) ?? []);
    return [{ ...item, labelIds, thread: { total: count, unread, starred, people } }];
  });
  return { rows, total };
}

interface KeptThread {
  threadKey: string;
  newestId: string;
  total: number;
  unread: number;
  starred: number;
}

/** The index alone gives the keys of a page. Only the rows of the page are read. */
async function readThreads(
  ctx: Ctx,
  folder: Pick<FolderCounts, 'id' | 'total' | 'threads' | 'uidNext'>,
  slice: { offset: number; limit: number },
): Promise<KeptThread[]> {
  const list = {
    name: `threads ${folder.id}`,
    state: `${folder.uidNext} ${folder.total} ${folder.threads}`,
    total: Number(folder.threads),
    columns: { at: 'newest_at', id: 'newest_id' },
  };
  return await readPage(ctx, list, slice, ({ order, condition, values, skip, count }) =>
    readRows<KeptThread & { at: Date; id: string }>(
      ctx,
      `SELECT t.thread_key AS threadKey, t.newest_id AS newestId, t.total, t.unread, t.starred,
              p.newest_at AS at, p.newest_id AS id
         FROM (SELECT folder_id, thread_key, newest_at, newest_id FROM folder_threads FORCE INDEX (folder_threads_page)
                WHERE folder_id = ?${condition}
                ORDER BY newest_at ${order}, newest_id ${order} LIMIT ? OFFSET ?) p
         JOIN folder_threads t ON t.folder_id = p.folder_id AND t.thread_key = p.thread_key
        ORDER BY p.newest_at ${order}, p.newest_id ${order}`,
      [folder.id, ...values, count, skip],
    ),
  );
}

/**
 * Reads the latest messages of each conversation. If the folder has only one of them, its row shows
 * it already. The owner's own messages are in Sent, so the latest of those is read as well.
 */
async function readWritings(
  ctx: Ctx,
  threads: readonly KeptThread[],
  { own, sent }: { own: Pick<FolderCounts, 'id'>; sent: FolderCounts | undefined },
): Promise<Map<string, Writing[]>> {
  const hasSent = sent !== undefined && sent.total > 0 && sent.id !== own.id && mayInFolder(ctx, 'sent', 'view');
  const looks = threads.flatMap(({ threadKey, total }) => [
    ...(total > 1 ? [latest(own.id, threadKey, mostLookedAt)] : []),
    ...(hasSent ? [latest(sent.id, threadKey, 1)] : []),
  ]);
  if (looks.length === 0) return new Map();
  const rows = await readRows<Writing>(
    ctx,
    `SELECT e.thread_key AS threadKey, e.id, e.arrived_at AS at, e.send_status AS isSent,
            m.from_name AS name, m.from_address AS address
       FROM (${looks.join(' UNION ALL ')}) e JOIN messages m ON m.id = e.message_id
      ORDER BY e.arrived_at, e.id`,
    [],
  );
  return Map.groupBy(rows, ({ threadKey }) => threadKey);
}

/** The labels of the latest messages of each conversation that has several, in their order. */
async function readLabels(ctx: Ctx, threads: readonly KeptThread[], folderId: string): Promise<Map<string, string[]>> {
  const looks = threads.flatMap(({ threadKey, total }) =>
    total > 1 ? [latest(folderId, threadKey, mostLookedAt)] : [],
  );
  if (looks.length === 0) return new Map();
  const rows = await readRows<{ threadKey: string; labelId: string }>(
    ctx,
    `SELECT DISTINCT e.thread_key AS threadKey, l.id AS labelId, l.name_key FROM (${looks.join(' UNION ALL ')}) e
       JOIN entry_labels el ON el.entry_id = e.id JOIN labels l ON l.id = el.label_id AND l.removed_at IS NULL
      ORDER BY l.name_key`,
    [],
  );
  const byKey = Map.groupBy(rows, ({ threadKey }) => threadKey);
  return new Map([...byKey].map(([key, own]) => [key, own.map(({ labelId }) => String(labelId))]));
}

interface Writing {
  threadKey: string;
  id: string;
  at: Date;
  isSent: number | boolean;
  name: string;
  address: string;
}

function latest(folderId: string, threadKey: string, count: number): string {
  return `(SELECT id, thread_key, send_status, message_id, arrived_at FROM mailbox_entries FORCE INDEX (entries_conversation)
            WHERE folder_id = ${escape(folderId)} AND thread_key = ${escape(threadKey)}
            ORDER BY arrived_at DESC, id DESC LIMIT ${count})`;
}

/** The writers of a conversation; none when its row already shows its only message. */
function peopleOf({ entry, message }: ListedEntry, writings: readonly Writing[]): ThreadPerson[] {
  if (writings.length === 0 || writings.some(({ id }) => String(id) === String(entry.id))) return namesOf(writings);
  const { id, threadKey, arrivedAt: at, sendStatus: isSent } = entry;
  const shown = { threadKey, id, at, isSent, name: message.fromName, address: message.fromAddress };
  return namesOf([...writings, shown].toSorted((a, b) => a.at.getTime() - b.at.getTime()));
}

function namesOf(writings: readonly Writing[]): ThreadPerson[] {
  const people = new Map<string, ThreadPerson>();
  for (const { isSent, name, address } of writings) {
    const isOwner = Number(isSent) === 1;
    const key = isOwner ? '' : address.toLowerCase();
    if (!people.has(key)) people.set(key, { name: name || address, isOwner });
  }
  return [...people.values()].slice(-mostNamed);
}
