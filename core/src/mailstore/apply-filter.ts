import { setImmediate as turn } from 'node:timers/promises';
import { requireInFolder, requireOnEntries } from '../access/mail-permissions.ts';
import { type Ctx, inTransaction } from '../context/context.ts';
import type { FilterActions, FilterConditions } from '../contracts/mail-rules.ts';
import { readRows } from '../database/run-sql.ts';
import { foldLetter, foldRecipients, isMet, type Letter, longestRecipients } from '../mail/mail-rules.ts';
import { changeEntries, type EntryChange } from './change-entries.ts';
import { lockLabels, writeLabels } from './change-labels.ts';
import { lockEntries } from './change-status.ts';
import { flagsOf, folderOf } from './folders.ts';

/*
 * Applies a new filter to the mail that is in the inbox already (D46). Each call walks the inbox by
 * its UIDs, the newest first, in slices, for some seconds at most. Mail is not forwarded here: old
 * mail must not leave the host all at once.
 */

/** Entries that are read at a time. One transaction changes no more than these. */
const slice = 500;
/** How long one call goes on at most: a request must not hold a connection for long. */
const limitMs = 2_000;
/** How long messages are compared before other work has a turn. */
const turnMs = 20;
/**
 * How much of a list of recipients is read, as JSON: enough for the characters that are compared
 * even if half of them are escaped.
 */
const longestList = 3 * longestRecipients;

interface Walk {
  userId: string;
  conditions: FilterConditions;
  /**
   * Only entries with a lower UID are read. The first call gets the UID at which the walk begins,
   * each further call the `until` that the call before has returned.
   */
  until: string;
}

/** How far a walk has come. */
export interface WalkProgress {
  /** Messages that the filter matches. */
  matching: number;
  /** Messages that were read. */
  seen: number;
  /** The UID below which the next call goes on. */
  until: string;
  isLeft: boolean;
}

/**
 * Counts the messages in the inbox that a filter matches.
 * @throws AppError 403 when the actor may not view the inbox
 */
export async function countMatching(ctx: Ctx, walk: Walk): Promise<WalkProgress> {
  requireInFolder(ctx, 'inbox', 'view');
  return await walkInbox(ctx, walk, ({ entryIds }) => Promise.resolve(entryIds.length));
}

/**
 * Applies the actions of a filter to the messages in the inbox that it matches, except for
 * forwarding. A message that has left the inbox meanwhile, or has returned to it, is not changed.
 * @throws AppError 403 when the actor may not change what is in the inbox; 404 when the label or
 *   the folder of the filter is deleted meanwhile
 */
export async function applyToInbox(ctx: Ctx, walk: Walk & { actions: FilterActions }): Promise<WalkProgress> {
  requireInFolder(ctx, 'inbox', 'edit');
  const { userId } = walk;
  const change = changeOf(walk.actions, await isThere(ctx, 'folders', userId, walk.actions.folder));
  const add = (await isThere(ctx, 'labels', userId, walk.actions.label)) ? [walk.actions.label ?? ''] : [];
  return await walkInbox(ctx, walk, ({ folderId, belowUid, entryIds }) =>
    inTransaction(ctx, async (tx) => {
      const entries = (await lockEntries(tx, userId, entryIds)).filter(
        (entry) => String(entry.folderId) === folderId && Number(entry.uid) < belowUid,
      );
      const [first] = entries;
      if (first === undefined) return 0;
      const places = entries.map((entry) => ({ folder: folderOf(flagsOf(entry)), starStatus: entry.starStatus }));
      requireOnEntries(tx, places, 'edit');
      const labelled = { add, remove: [] };
      if (add.length > 0) await writeLabels(tx, entries, labelled, () => lockLabels(tx, userId, labelled));
      if (Object.keys(change).length > 0) {
        await changeEntries(tx, { companyId: first.companyId, userId, entries }, change);
      }
      return entries.length;
    }),
  );
}

function changeOf({ move_to, folder, star, mark_read }: FilterActions, hasFolder: boolean): EntryChange {
  return {
    ...(move_to === 'archive' && { archiveStatus: true }),
    ...(move_to === 'junk' && { junkStatus: true }),
    ...(move_to === 'trash' && { trashStatus: true }),
    ...(folder !== undefined && hasFolder && { ownFolderId: folder }),
    ...(star && { starStatus: true }),
    ...(mark_read && { readStatus: true }),
  };
}

/** A deleted folder or label is skipped, as when mail arrives. */
async function isThere(
  ctx: Ctx,
  table: 'folders' | 'labels',
  userId: string,
  id: string | undefined,
): Promise<boolean> {
  if (id === undefined) return false;
  const isOwn = table === 'folders' ? 'AND role IS NULL' : '';
  const statement = `SELECT id FROM ${table} WHERE id = ? AND user_id = ? ${isOwn} AND removed_at IS NULL`;
  return (await readRows(ctx, statement, [id, userId])).length > 0;
}

interface Found {
  folderId: string;
  belowUid: number;
  entryIds: string[];
}

async function walkInbox(
  ctx: Ctx,
  { userId, conditions, until }: Walk,
  take: (found: Found) => Promise<number>,
): Promise<WalkProgress> {
  const [inbox] = await readRows<{ id: string }>(ctx, "SELECT id FROM folders WHERE user_id = ? AND role = 'inbox'", [
    userId,
  ]);
  const progress: WalkProgress = { matching: 0, seen: 0, until, isLeft: inbox !== undefined };
  const endsAt = Date.now() + limitMs;
  while (inbox !== undefined && progress.isLeft && (progress.seen === 0 || Date.now() < endsAt)) {
    const folderId = String(inbox.id);
    const rows = await readSlice(ctx, folderId, { until: progress.until, conditions });
    const entryIds = await matchingOf(ctx, rows, conditions);
    const belowUid = Number(progress.until);
    if (entryIds.length > 0) progress.matching += await take({ folderId, belowUid, entryIds });
    progress.seen += rows.length;
    progress.until = String(rows.at(-1)?.uid ?? 0);
    progress.isLeft = rows.length === slice;
  }
  return progress;
}

interface Row extends Omit<Letter, 'to'> {
  id: string;
  uid: number;
  /** The beginnings of the lists, as JSON; null when no condition compares them. */
  toList: string | null;
  ccList: string | null;
}

/** Strangers write the recipients, and a message may have thousands of them. */
async function readSlice(ctx: Ctx, folderId: string, { until, conditions }: Omit<Walk, 'userId'>): Promise<Row[]> {
  const list = (column: string) => (conditions.to ? `LEFT(${column}, ${longestList})` : 'NULL');
  return await readRows<Row>(
    ctx,
    `SELECT e.id, e.uid, m.from_name AS fromName, m.from_address AS fromAddress, ${list('m.to_list')} AS toList,
            ${list('m.cc_list')} AS ccList, m.subject, m.list_id AS listId
       FROM (SELECT id, uid, message_id FROM mailbox_entries FORCE INDEX (entries_uid)
              WHERE folder_id = ? AND uid < ? ORDER BY uid DESC LIMIT ${slice}) e
       JOIN messages m ON m.id = e.message_id ORDER BY e.uid DESC`,
    [folderId, until],
  );
}

async function matchingOf(ctx: Ctx, rows: readonly Row[], conditions: FilterConditions): Promise<string[]> {
  const addresses = conditions.to ? await recipientsByEntry(ctx, rows) : new Map<string, string>();
  const matching: string[] = [];
  let turnEndsAt = performance.now() + turnMs;
  for (const { id, toList, ccList, ...letter } of rows) {
    const folded = foldLetter({ ...letter, to: [...mailboxesIn(toList), ...mailboxesIn(ccList)] });
    if (isMet(conditions, folded, addresses.get(String(id)))) matching.push(String(id));
    if (performance.now() < turnEndsAt) continue;
    await turn();
    turnEndsAt = performance.now() + turnMs;
  }
  return matching;
}

/** The mailboxes of a list as JSON, of whose end a part may be missing. */
function mailboxesIn(list: string | null): string[] {
  const texts = list?.match(/"(?:[^"\\]|\\.)*"/g) ?? [];
  return texts.map((text) => String(JSON.parse(text)));
}

/**
 * The addresses that messages were sent to, by entry id, in the form that filters compare. Only
 * messages that are still in the ledger have one.
 */
async function recipientsByEntry(ctx: Ctx, rows: readonly Row[]): Promise<Map<string, string>> {
  if (rows.length === 0) return new Map();
  const found = await readRows<{ entryId: string; recipient: string }>(
    ctx,
    "SELECT entry_id AS entryId, recipient FROM deliveries WHERE entry_id IN (?) AND direction = 'in'",
    [rows.map(({ id }) => String(id))],
  );
  const byEntry = Map.groupBy(found, ({ entryId }) => String(entryId));
  return new Map([...byEntry].map(([id, own]) => [id, foldRecipients(own.map(({ recipient }) => recipient))]));
}
