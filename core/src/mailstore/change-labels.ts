import { escape } from 'mysql2';
import { requireOnEntries } from '../access/mail-permissions.ts';
import { type Ctx, inTransaction, type TxCtx } from '../context/context.ts';
import { changeRows, readRows } from '../database/run-sql.ts';
import { notFound } from '../errors.ts';
import type { MailboxEntry } from '../models/mailbox-entry.ts';
import { changeFolders } from './change-folders.ts';
import { lockNamed, type NamedEntries } from './change-status.ts';
import { batchesOf, entriesOfThreads } from './change-thread-status.ts';
import { addToLabels, countedBy, insertEntryLabels } from './entry-labels.ts';
import { flagsOf, folderOf, keyOf } from './folders.ts';

/** Labels to add to messages and to remove from them. */
export interface LabelChange {
  add: readonly string[];
  remove: readonly string[];
}

interface NamedChange extends LabelChange, NamedEntries {}

/** For each label, the entries that have gained or lost it. */
export type TouchedByLabel = Map<string, string[]>;

/**
 * Adds labels to entries of one person, or removes them. It changes all entries or none.
 * @throws AppError notFound when one of the ids is not an entry or a label of this person; 403 when
 *   the actor may not change what is in the folder of one of them
 */
export async function changeLabels(ctx: Ctx, { add, remove, ...named }: NamedChange): Promise<TouchedByLabel> {
  const { userId } = named;
  const change = { add, remove };
  return await inTransaction(ctx, async (tx) => {
    const entries = await lockNamed(tx, named);
    requireOnEntries(
      tx,
      entries.map((entry) => ({ folder: folderOf(flagsOf(entry)), starStatus: entry.starStatus })),
      'edit',
    );
    await requireLabels(tx, userId, change);
    return await writeLabels(tx, entries, change, () => lockLabels(tx, userId, change));
  });
}

/**
 * As `changeLabels`, for whole conversations: each id names the conversation of that entry in its
 * folder, up to this entry. `isLeft` when there are more entries than one call changes.
 * @throws AppError as `changeLabels` does
 */
export async function changeThreadLabels(
  ctx: Ctx,
  { userId, entryIds, ...change }: Omit<NamedChange, 'isMeant'>,
): Promise<{ touched: TouchedByLabel; isLeft: boolean }> {
  await requireLabels(ctx, userId, change);
  const { found, isMeant, isLeft } = await entriesOfThreads(ctx, { userId, entryIds, condition: differing(change) });
  const touched: TouchedByLabel = new Map();
  for (const ids of batchesOf(found)) {
    const step = await changeLabels(ctx, { userId, entryIds: ids, isMeant, ...change });
    for (const [labelId, entries] of step) touched.set(labelId, [...(touched.get(labelId) ?? []), ...entries]);
  }
  return { touched, isLeft };
}

/** A condition in SQL on a row of `mailbox_entries`: the change makes a difference to the entry. */
function differing({ add, remove }: LabelChange): string {
  const has = (labelId: string) =>
    `EXISTS (SELECT 1 FROM entry_labels el WHERE el.label_id = ${escape(labelId)} AND el.entry_id = mailbox_entries.id)`;
  return [...add.map((labelId) => `NOT ${has(labelId)}`), ...remove.map(has)].join(' OR ') || 'FALSE';
}

/** @throws AppError notFound when one of the labels is not this person's */
export async function requireLabels(ctx: Ctx, userId: string, { add, remove }: LabelChange): Promise<void> {
  await findLabels(ctx, userId, [...add, ...remove], '');
}

/**
 * Locks the labels. A concurrent deletion of a label waits for this transaction, or has committed
 * and is noticed here.
 * @throws AppError notFound when one of the labels is not this person's
 */
export async function lockLabels(ctx: TxCtx, userId: string, { add, remove }: LabelChange): Promise<void> {
  await findLabels(ctx, userId, [...add, ...remove], 'FOR UPDATE');
}

async function findLabels(ctx: Ctx, userId: string, labelIds: readonly string[], lock: '' | 'FOR UPDATE') {
  const ids = [...new Set(labelIds)];
  if (ids.length === 0) return;
  const rows = await readRows<{ id: string }>(
    ctx,
    `SELECT id FROM labels WHERE id IN (?) AND user_id = ? AND removed_at IS NULL ORDER BY id ${lock}`,
    [ids, userId],
  );
  if (rows.length < ids.length) throw notFound('label');
}

/**
 * Changes the labels of entries that the caller holds locked. Each changed entry gets a new MODSEQ
 * in its folder, as for a changed keyword (RFC 7162).
 * @param lock locks the labels, after the folders
 */
export async function writeLabels(
  ctx: TxCtx,
  entries: readonly MailboxEntry[],
  { add, remove }: LabelChange,
  lock?: () => Promise<void>,
): Promise<TouchedByLabel> {
  const had = await readPairs(ctx, entries, [...add, ...remove]);
  const pairs = (labelIds: readonly string[], isThere: boolean) =>
    [...new Set(labelIds)].flatMap((labelId) =>
      entries.flatMap((entry) => (had.has(`${labelId} ${entry.id}`) === isThere ? [{ labelId, entry }] : [])),
    );
  const [added, removed] = [pairs(add, false), pairs(remove, true)];
  const changed = new Map([...added, ...removed].map(({ entry }) => [String(entry.id), entry]));
  if (changed.size === 0) return new Map();
  await raiseModseq(ctx, [...changed.values()]);
  await lock?.();
  await insertEntryLabels(
    ctx,
    added.map(({ labelId, entry }) => {
      return { labelId, entryId: String(entry.id), flags: flagsOf(entry), arrivedAt: entry.arrivedAt };
    }),
  );
  for (const [labelId, own] of Map.groupBy(removed, (pair) => pair.labelId)) {
    const ids = own.map(({ entry }) => String(entry.id));
    await changeRows(ctx, 'DELETE FROM entry_labels WHERE label_id = ? AND entry_id IN (?)', [labelId, ids]);
  }
  await addToLabels(
    ctx,
    removed.map(({ labelId, entry }) => {
      const { total, unread } = countedBy(flagsOf(entry));
      return { labelId, total: -total, unread: -unread };
    }),
  );
  const byLabel = Map.groupBy([...added, ...removed], ({ labelId }) => labelId);
  return new Map([...byLabel].map(([labelId, own]) => [labelId, own.map(({ entry }) => String(entry.id))]));
}

/** Which of the entries have which of the labels, each as `labelId entryId`. */
async function readPairs(
  ctx: TxCtx,
  entries: readonly MailboxEntry[],
  labelIds: readonly string[],
): Promise<Set<string>> {
  if (entries.length === 0 || labelIds.length === 0) return new Set();
  const rows = await readRows<{ labelId: string; entryId: string }>(
    ctx,
    'SELECT label_id AS labelId, entry_id AS entryId FROM entry_labels WHERE label_id IN (?) AND entry_id IN (?)',
    [[...new Set(labelIds)], entries.map(({ id }) => String(id))],
  );
  return new Set(rows.map(({ labelId, entryId }) => `${labelId} ${entryId}`));
}

async function raiseModseq(ctx: TxCtx, entries: readonly MailboxEntry[]): Promise<void> {
  const placed = entries.flatMap((entry) => {
    const folder = keyOf(flagsOf(entry));
    return folder === 'gone' ? [] : [{ entry, folder }];
  });
  const folders = await changeFolders(
    ctx,
    placed.map(({ entry: { companyId, userId }, folder }) => {
      return { companyId: String(companyId), userId: String(userId), folder, total: 0, unread: 0 };
    }),
  );
  for (const [folder, own] of Map.groupBy(placed, (one) => one.folder)) {
    const { modseq } = folders.of(String(own[0]?.entry.userId), folder);
    const ids = own.map(({ entry }) => String(entry.id));
    await changeRows(ctx, 'UPDATE mailbox_entries SET modseq = ?, updated_at = ? WHERE id IN (?)', [
      modseq,
      new Date(),
      ids,
    ]);
  }
}
