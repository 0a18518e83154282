import { type FolderName, folderNames } from '../contracts/mail.ts';
import { FolderTotal } from '../models/folder-total.ts';
import { mayInFolder } from '../access/mail-permissions.ts';
import type { Ctx } from '../context/context.ts';
import { insertRows } from '../database/insert-rows.ts';
import { changeRows } from '../database/run-sql.ts';

/** What one folder of one person changes by. */
export interface TotalsDelta {
  companyId: string;
  userId: string;
  folder: FolderName;
  total: number;
  unread: number;
}

/** From this number of rows on, one statement for all is cheaper than one update each. */
const BULK_FROM = 4;

// The columns are unsigned: a subtraction below zero would fail, and with it every change to the
// mailbox
const added = (column: string, by: string) => `${column} = GREATEST(CAST(${column} AS SIGNED) + ${by}, 0)`;

/**
 * Applies deltas to the kept totals. Rows are locked in one fixed order, so that two changes wait
 * for each other instead of deadlocking. Call it last in a transaction: from here to the commit,
 * changes to a mailbox go one after the other.
 */
export async function changeTotals(ctx: Ctx, deltas: readonly TotalsDelta[]): Promise<void> {
  const rows = mergeDeltas(deltas);
  if (rows.length >= BULK_FROM && rows.every((row) => row.total >= 0 && row.unread >= 0)) {
    await upsertTotals(ctx, rows);
    return;
  }
  for (const row of rows) await changeTotal(ctx, row);
}

/** Messages and unread messages of every folder. */
export type Totals = Record<FolderName, { total: number; unread: number }>;

/**
 * The totals that the navigation shows. A folder without a row is empty, and so is one that the
 * actor may not view.
 */
export async function readTotals(ctx: Ctx, userId: string): Promise<Totals> {
  const rows = await FolderTotal.findAll({ where: { userId }, transaction: ctx.tx, raw: true });
  const totalOf = (name: FolderName) => {
    const row = mayInFolder(ctx, name, 'view') ? rows.find(({ folder }) => folder === name) : undefined;
    return { total: row?.total ?? 0, unread: row?.unread ?? 0 };
  };
  return Object.fromEntries(folderNames.map((name) => [name, totalOf(name)])) as Totals;
}

/** One delta for each row, without those that change nothing, ordered by person and folder. */
function mergeDeltas(deltas: readonly TotalsDelta[]): TotalsDelta[] {
  const merged = new Map<string, TotalsDelta>();
  for (const delta of deltas) {
    const key = `${delta.userId.padStart(20, '0')} ${delta.folder}`;
    const sum = merged.get(key);
    if (sum === undefined) merged.set(key, { ...delta });
    else {
      sum.total += delta.total;
      sum.unread += delta.unread;
    }
  }
  return [...merged]
    .filter(([, { total, unread }]) => total !== 0 || unread !== 0)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([, delta]) => delta);
}

async function changeTotal(ctx: Ctx, delta: TotalsDelta): Promise<void> {
  // An update locks one row. An upsert also locks the gap beside it, so it is kept for rows that
  // don't exist yet
  const changed = await changeRows(
    ctx,
    `UPDATE folder_totals SET ${added('total', '?')}, ${added('unread', '?')} WHERE user_id = ? AND folder = ?`,
    [delta.total, delta.unread, delta.userId, delta.folder],
  );
  if (changed === 0 && (delta.total > 0 || delta.unread > 0)) await upsertTotals(ctx, [delta]);
}

async function upsertTotals(ctx: Ctx, deltas: readonly TotalsDelta[]): Promise<void> {
  await insertRows(
    ctx,
    FolderTotal,
    deltas.map((delta) => ({
      companyId: delta.companyId,
      userId: delta.userId,
      folder: delta.folder,
      total: Math.max(delta.total, 0),
      unread: Math.max(delta.unread, 0),
    })),
    'ON DUPLICATE KEY UPDATE total = total + VALUES(total), unread = unread + VALUES(unread)',
  );
}
