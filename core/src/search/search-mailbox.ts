import type { FolderKey, FolderName } from '../contracts/mail-folders.ts';
import { folderNameKey } from '../contracts/own-folders.ts';
import { maxAliases } from '../contracts/aliases.ts';
import { mayInFolder, requireInFolder } from '../access/mail-permissions.ts';
import type { Ctx } from '../context/context.ts';
import { mostLabels } from '../contracts/labels.ts';
import { readRows } from '../database/run-sql.ts';
import { type ListedEntry, readListed } from '../mailstore/read-listed.ts';
import { AppError } from '../errors.ts';
import { readOwnFolders } from '../mailstore/own-folders.ts';
import { readFolders } from '../mailstore/totals.ts';
import { parseSearch, type SearchClock, type SearchedFolder, type SearchQuery } from '../search-index/search-query.ts';
import type { IndexState } from '../search-index/index-messages.ts';
import { TimeZone } from '../time-zone.ts';
import { updateIndex } from './update-index.ts';

/** A search of a person, and the wanted page of its hits. */
export interface SearchRequest {
  userId: string;
  /** As the person typed it. */
  text: string;
  /** The IANA name of the person's time zone. */
  timeZone?: string | undefined;
  /** How far the person's clock is ahead of UTC, if the time zone is not known. */
  utcOffsetMinutes?: number;
  /** From 1. */
  page: number;
  limit: number;
}

/** Hits, the newest first. */
export interface SearchResult {
  rows: ListedEntry[];
  /** The number of hits, at most `mostHits`. */
  total: number;
  /** There are more than `mostHits`. */
  isMore: boolean;
  /** False while the index is being built: older mail is not found yet. */
  isComplete: boolean;
  /** How many messages are in the index, and how many there are. */
  indexed: number;
  messages: number;
  query: SearchQuery;
}

/**
 * The most hits that are counted and can be paged through. For more, the person has to narrow the
 * search.
 */
export const mostHits = 1000;
/** The entries of a label that one query reads. */
const labelledAtOnce = 10_000;
/** How long a search waits while a large mailbox is indexed for the first time. */
const buildMs = 700;
/** How long a search waits for the few messages that have come since the last one. */
const followMs = 5000;
const few = 500;
const searchedFolders: readonly string[] = [
  'inbox',
  'snoozed',
  'sent',
  'archive',
  'junk',
  'trash',
  'draft',
] satisfies SearchedFolder[];

/**
 * Searches the mailbox of a person, in the folders that the actor may view. It finds mail that has
 * come by the time of the call, unless the index is still being built. It finds a draft once its
 * writer has paused.
 * @throws AppError 403 when the search names a folder that the actor may not view
 * @throws AppError unavailable when the index can't be used
 */
export async function searchMailbox(ctx: Ctx, request: SearchRequest): Promise<SearchResult> {
  const { userId, page, limit } = request;
  const own = await readOwnFolders(ctx, userId);
  const ownByName = new Map(own.map(({ id, name }) => [folderNameKey(name), id]));
  const labels = await labelsNamed(ctx, userId, request.text);
  const addresses = await addressesMeant(ctx, userId, request.text);
  const query = parseSearch(request.text, clockOf(request), { folders: ownByName, labels, addresses });
  if (query.folder) requireInFolder(ctx, kindOf(query.folder), 'view');
  const present = [
    ...(await readFolders(ctx, userId)).filter(({ role }) => searchedFolders.includes(role)),
    ...own.map((folder) => ({ ...folder, role: `own:${folder.id}` as const })),
  ];
  const folders = present.filter(({ role }) => isSearched(role, query) && mayInFolder(ctx, kindOf(role), 'view'));
  const messages = present.reduce((sum, { total }) => sum + total, 0);
  const { state, isCurrent } = await updateSoon(ctx, userId);
  const progress = { isComplete: isCurrent, indexed: state.entries, messages, query };
  const offset = (page - 1) * limit;
  const isAsked =
    query.terms.length > 0 || Object.keys(query).some((name) => name !== 'terms' && name !== 'isAnywhere');
  if (!isAsked || folders.length === 0) return { rows: [], total: 0, isMore: false, ...progress };
  const folderIds = folders.map(({ id }) => String(id));
  const among = query.labelIds && (await entriesWithLabels(ctx, query.labelIds));
  const notAmong: string[] = [];
  for (const labelId of query.withoutLabelIds ?? []) notAmong.push(await entriesWithLabels(ctx, [labelId]));
  const { ids, count } = await ctx.app.search.find({
    userId,
    companyId: ctx.actor?.companyId ?? 'host',
    wanted: {
      query,
      folderIds,
      ...(among && { among }),
      notAmong,
      offset,
      limit: offset >= mostHits ? 0 : limit,
      countUpTo: mostHits + 1,
    },
  });
  // The index may be out of date, so the database decides what the person may see
  const rows = (await readListed(ctx, ids)).filter(
    ({ entry }) => String(entry.userId) === userId && folderIds.includes(String(entry.folderId)),
  );
  return { rows, total: Math.min(count, mostHits), isMore: count > mostHits, ...progress };
}

/** Converts times of the person's clock. Browsers may know zones that this host does not. */
function clockOf({ timeZone, utcOffsetMinutes = 0 }: SearchRequest): SearchClock {
  const now = Date.now();
  try {
    const zone = timeZone === undefined ? null : new TimeZone(timeZone);
    if (zone) return { momentOf: (wallClock) => zone.momentOf(wallClock), now };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return { momentOf: (wallClock) => wallClock - utcOffsetMinutes * 60_000, now };
}

/** The labels of the person, by name. They are read only if the text may name one. */
async function labelsNamed(ctx: Ctx, userId: string, text: string): Promise<Map<string, string>> {
  if (!/label:/i.test(text)) return new Map();
  const rows = await readRows<{ id: string; name: string }>(
    ctx,
    `SELECT id, name FROM labels WHERE user_id = ? AND removed_at IS NULL LIMIT ${mostLabels}`,
    [userId],
  );
  return new Map(rows.map(({ id, name }) => [folderNameKey(name), String(id)]));
}

/** The addresses of the person, that of the mailbox first; none if the text can't mean them. */
async function addressesMeant(ctx: Ctx, userId: string, text: string): Promise<string[]> {
  if (!/\bme\b/i.test(text)) return [];
  const rows = await readRows<{ address: string }>(
    ctx,
    `(SELECT email AS address FROM users WHERE id = ?)
      UNION (SELECT address FROM addresses WHERE user_id = ? ORDER BY address LIMIT ${maxAliases})`,
    [userId, userId],
  );
  return rows.map(({ address }) => address);
}

/**
 * Ids of the entries that have all of the labels, as a JSON list: they may be most of the mailbox.
 */
async function entriesWithLabels(ctx: Ctx, labelIds: readonly string[]): Promise<string> {
  const [first = '', ...others] = labelIds;
  const has = others.map(
    () => 'AND EXISTS (SELECT 1 FROM entry_labels o WHERE o.label_id = ? AND o.entry_id = l.entry_id)',
  );
  const pieces: string[] = [];
  for (let last = '0'; ; ) {
    const rows = await readRows<{ id: string }>(
      ctx,
      `SELECT l.entry_id AS id FROM entry_labels l
        WHERE l.label_id = ? AND l.entry_id > ? ${has.join(' ')} ORDER BY l.entry_id LIMIT ${labelledAtOnce}`,
      [first, last, ...others],
    );
    if (rows.length > 0) pieces.push(rows.map(({ id }) => id).join(','));
    if (rows.length < labelledAtOnce) return `[${pieces.join(',')}]`;
    last = String(rows.at(-1)?.id);
  }
}

/** Permissions treat all folders that a person made as one kind. */
function kindOf(key: FolderKey): FolderName | 'own' {
  return key.startsWith('own:') ? 'own' : (key as FolderName);
}

/** Junk is searched only if the search names it, or asks for everything. */
function isSearched(role: FolderKey, { folder, notInFolders, isAnywhere }: SearchQuery): boolean {
  if (notInFolders?.some((one) => one === role)) return false;
  return folder === undefined ? role !== 'junk' || isAnywhere === true : folder === role;
}

/**
 * Brings the index up to date, unless that takes longer than a person waits. If that fails, as on a
 * full disk, the search uses the index as it is.
 */
async function updateSoon(ctx: Ctx, userId: string): Promise<{ state: IndexState; isCurrent: boolean }> {
  try {
    return await updateFor(ctx, userId);
  } catch (error) {
    if (!mayPass(error)) throw error;
    return { state: await ctx.app.search.run('state', { userId }), isCurrent: false };
  }
}

async function updateFor(ctx: Ctx, userId: string) {
  const begin = performance.now();
  const soon = await updateIndex(ctx, userId, { deadline: begin + buildMs });
  const isFew = soon.state.isBuilt || soon.total - soon.state.entries <= few;
  return soon.isCurrent || !isFew ? soon : await updateIndex(ctx, userId, { deadline: begin + followMs });
}

/** Whether the index could not be used just now: it is unavailable, or too much waits for it. */
function mayPass(error: unknown): boolean {
  return error instanceof AppError && error.status === 503;
}
