import { type Ctx, inTransaction } from '../context/context.ts';
import { changeRows, readRows } from '../database/run-sql.ts';
import { log } from '../log.ts';
import { addToLabels } from './entry-labels.ts';
import { workOnStep } from './work-on-step.ts';
import { shownFoldersInSql } from './folders.ts';

/** Rows that one transaction corrects, with their entries locked. */
const batch = 200;

const shownCondition = `e.folder IN (${shownFoldersInSql})`;
const wrongCondition = `(el.is_shown <> (${shownCondition}) OR el.arrived_at <> e.arrived_at OR e.user_id <> l.user_id)`;

/** How the stored counts of a label differ from those of its entries. */
interface Compared {
  /** What must be added to its counts. */
  total: number;
  unread: number;
  /** Rows with another place in the order than their entries, or on entries of another person. */
  wrongRows: number;
}

/**
 * Compares the counts and the rows of the next hundred labels past `after` with their entries, and
 * corrects them. One statement reads the figures of a label, so mail that comes and goes meanwhile
 * does not count as an error.
 * @returns the last label that was checked; null when there is none after it
 */
export async function mendLabels(ctx: Ctx, after: string, signal?: AbortSignal): Promise<string | null> {
  const failure = 'the messages of a label could not be counted';
  const { last } = await workOnStep(ctx, 'labels', { after, failure, signal }, async (labelId) => {
    const { total, unread, wrongRows } = await compare(ctx, labelId);
    if (total === 0 && unread === 0 && wrongRows === 0) return;
    log.error('the stored counts of a label were wrong and are corrected', { labelId, total, unread, wrongRows });
    await inTransaction(ctx, (tx) => addToLabels(tx, [{ labelId, total, unread }]));
    if (wrongRows > 0) while ((await mendRows(ctx, labelId)) === batch) signal?.throwIfAborted();
  });
  return last;
}

/** Whether the stored counts and rows of a person's labels equal a count. */
export async function verifyLabels(ctx: Ctx, userId: string): Promise<boolean> {
  const labels = await readRows<{ id: string }>(ctx, 'SELECT id FROM labels WHERE user_id = ? AND removed_at IS NULL', [
    userId,
  ]);
  const compared = await Promise.all(labels.map(({ id }) => compare(ctx, String(id))));
  return compared.every(({ total, unread, wrongRows }) => total === 0 && unread === 0 && wrongRows === 0);
}

async function compare(ctx: Ctx, labelId: string): Promise<Compared> {
  const counts = `(e.user_id = l.user_id AND ${shownCondition})`;
  const [row] = await readRows<Record<keyof Compared, string>>(
    ctx,
    `SELECT COALESCE(SUM(${counts}), 0) - CAST(l.total AS SIGNED) AS total,
            COALESCE(SUM(${counts} AND e.read_status = 0), 0) - CAST(l.unread AS SIGNED) AS unread,
            COALESCE(SUM(${wrongCondition}), 0) AS wrongRows
       FROM labels l
       LEFT JOIN entry_labels el ON el.label_id = l.id
       LEFT JOIN mailbox_entries e ON e.id = el.entry_id
      WHERE l.id = ? AND l.removed_at IS NULL GROUP BY l.id, l.total, l.unread`,
    [labelId],
  );
  const { total = 0, unread = 0, wrongRows = 0 } = row ?? {};
  return { total: Number(total), unread: Number(unread), wrongRows: Number(wrongRows) };
}

/** @returns how many were wrong, at most one batch */
async function mendRows(ctx: Ctx, labelId: string): Promise<number> {
  const rows = await readRows<{ id: string }>(
    ctx,
    `SELECT el.entry_id AS id FROM labels l
       JOIN entry_labels el ON el.label_id = l.id JOIN mailbox_entries e ON e.id = el.entry_id
      WHERE l.id = ? AND ${wrongCondition} LIMIT ${batch}`,
    [labelId],
  );
  if (rows.length === 0) return 0;
  const ids = rows.map(({ id }) => String(id));
  await inTransaction(ctx, async (tx) => {
    // The entries are locked first, as in every change of them
    await readRows(tx, 'SELECT id FROM mailbox_entries WHERE id IN (?) ORDER BY id FOR UPDATE', [ids]);
    const those = 'el.label_id = ? AND el.entry_id IN (?)';
    const joined = 'entry_labels el JOIN labels l ON l.id = el.label_id JOIN mailbox_entries e ON e.id = el.entry_id';
    await changeRows(tx, `DELETE el FROM ${joined} WHERE ${those} AND e.user_id <> l.user_id`, [labelId, ids]);
    await changeRows(
      tx,
      `UPDATE ${joined} SET el.is_shown = ${shownCondition}, el.arrived_at = e.arrived_at WHERE ${those}`,
      [labelId, ids],
    );
  });
  return rows.length;
}
