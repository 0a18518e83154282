import { escape } from 'mysql2';
import type { Ctx, TxCtx } from '../context/context.ts';
import { outsideStarred } from '../contracts/mail-folders.ts';
import { sqlMoment } from '../database/insert-rows.ts';
import { changeRows, readRows } from '../database/run-sql.ts';
import { type EntryFlags, folderOf } from './folders.ts';

/*
 * The labels of entries (D60): a row of `entry_labels` for each, in the order of the label's pages,
 * and the counts of the label.
 *
 *   entries are locked -> their folders are changed -> the entries are written -> their labels
 *   follow here, the labels last and in the order of their ids
 */

/** How an entry counts for a label. */
interface Counted {
  total: number;
  unread: number;
}

/** Whether labels show the entry. They show entries of the same folders as Starred. */
export function isLabelShown(flags: Omit<EntryFlags, 'readStatus' | 'starStatus'>): boolean {
  const folder = folderOf(flags);
  return folder !== 'gone' && !outsideStarred.has(folder);
}

/** What an entry with these flags adds to the counts of each of its labels. */
export function countedBy(flags: EntryFlags): Counted {
  const total = isLabelShown(flags) ? 1 : 0;
  return { total, unread: flags.readStatus ? 0 : total };
}

/** An entry with labels whose flags were changed. */
export interface LabelledStep {
  id: string;
  labelIds: readonly string[];
  before: EntryFlags;
  after: EntryFlags;
}

/** Updates labels after changes to the flags of entries, and to the time at which they arrived. */
export async function followLabels(
  ctx: TxCtx,
  steps: readonly LabelledStep[],
  arrivedAt: Date | undefined,
): Promise<void> {
  const labelled = steps.filter(({ labelIds }) => labelIds.length > 0);
  if (labelled.length === 0) return;
  const gone = labelled.filter(({ after }) => folderOf(after) === 'gone').map(({ id }) => id);
  if (gone.length > 0) await changeRows(ctx, 'DELETE FROM entry_labels WHERE entry_id IN (?)', [gone]);
  const moved = labelled.filter(
    ({ id, before, after }) =>
      !gone.includes(id) && (arrivedAt !== undefined || isLabelShown(before) !== isLabelShown(after)),
  );
  for (const [isShown, members] of Map.groupBy(moved, ({ after }) => isLabelShown(after))) {
    await changeRows(
      ctx,
      'UPDATE entry_labels SET is_shown = ?, arrived_at = COALESCE(?, arrived_at) WHERE entry_id IN (?)',
      [isShown, arrivedAt ?? null, members.map(({ id }) => id)],
    );
  }
  await addToLabels(
    ctx,
    labelled.flatMap(({ labelIds, before, after }) => {
      const [was, is] = [countedBy(before), countedBy(after)];
      return labelIds.map((labelId) => ({ labelId, total: is.total - was.total, unread: is.unread - was.unread }));
    }),
  );
}

/** Changes the counts of labels, in the order of their ids. */
export async function addToLabels(ctx: TxCtx, changes: readonly (Counted & { labelId: string })[]): Promise<void> {
  const sums = new Map<string, Counted>();
  for (const { labelId, total, unread } of changes) {
    const sum = sums.get(labelId) ?? { total: 0, unread: 0 };
    sums.set(labelId, { total: sum.total + total, unread: sum.unread + unread });
  }
  const inOrder = [...sums].sort(([one], [other]) => Number(BigInt(one) - BigInt(other)));
  for (const [labelId, { total, unread }] of inOrder) {
    if (total === 0 && unread === 0) continue;
    await changeRows(
      ctx,
      `UPDATE labels SET total = GREATEST(CAST(total AS SIGNED) + ?, 0), unread = GREATEST(CAST(unread AS SIGNED) + ?, 0)
        WHERE id = ?`,
      [total, unread, labelId],
    );
  }
}

/** A label and an entry that it is added to. */
export interface NewEntryLabel {
  labelId: string;
  entryId: string;
  flags: EntryFlags;
  arrivedAt: Date;
}

/** Puts labels on entries that don't have them, and counts them. */
export async function insertEntryLabels(ctx: TxCtx, rows: readonly NewEntryLabel[]): Promise<void> {
  if (rows.length === 0) return;
  const tuples = rows.map(
    ({ labelId, entryId, flags, arrivedAt }) =>
      `(${escape(labelId)}, ${escape(entryId)}, ${isLabelShown(flags) ? 1 : 0}, ${escape(sqlMoment(arrivedAt))})`,
  );
  await changeRows(
    ctx,
    `INSERT INTO entry_labels (label_id, entry_id, is_shown, arrived_at) VALUES ${tuples.join(', ')}`,
    [],
  );
  await addToLabels(
    ctx,
    rows.map(({ labelId, flags }) => ({ labelId, ...countedBy(flags) })),
  );
}

/** Labels that the filters of a person add to an arriving message. */
interface LabelledArrival extends Omit<NewEntryLabel, 'labelId'> {
  userId: string;
  labelIds: readonly string[];
}

/** Adds labels of filters to entries that have just arrived. Deleted labels are skipped. */
export async function labelArrivals(ctx: TxCtx, arrivals: readonly LabelledArrival[]): Promise<void> {
  const wanted = arrivals.flatMap(({ labelIds, ...one }) => labelIds.map((labelId) => ({ ...one, labelId })));
  if (wanted.length === 0) return;
  const rows = await readRows<{ id: string; userId: string }>(
    ctx,
    'SELECT id, user_id AS userId FROM labels WHERE id IN (?) AND removed_at IS NULL ORDER BY id FOR UPDATE',
    [[...new Set(wanted.map(({ labelId }) => labelId))]],
  );
  const owners = new Map(rows.map(({ id, userId }) => [String(id), String(userId)]));
  await insertEntryLabels(
    ctx,
    wanted.filter(({ labelId, userId }) => owners.get(labelId) === userId),
  );
}

/** The labels of entries, by entry; an entry without one is left out. */
export async function readLabelIds(ctx: Ctx, entryIds: readonly string[]): Promise<Map<string, string[]>> {
  if (entryIds.length === 0) return new Map();
  const rows = await readRows<{ entryId: string; labelId: string }>(
    ctx,
    `SELECT el.entry_id AS entryId, el.label_id AS labelId FROM entry_labels el
       JOIN labels l ON l.id = el.label_id AND l.removed_at IS NULL
      WHERE el.entry_id IN (?) ORDER BY l.name_key`,
    [[...entryIds]],
  );
  const byEntry = Map.groupBy(rows, ({ entryId }) => String(entryId));
  return new Map([...byEntry].map(([entryId, own]) => [entryId, own.map(({ labelId }) => String(labelId))]));
}
