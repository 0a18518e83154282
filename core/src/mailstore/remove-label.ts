import { type Ctx, inTransaction, type TxCtx } from '../context/context.ts';
import { changeRows, readRows } from '../database/run-sql.ts';
import { inSlices } from '../sweeps/in-slices.ts';
import type { Run } from '../sweeps/run.ts';
import { writeLabels } from './change-labels.ts';
import { lockEntries } from './change-status.ts';

/**
 * Entries that one transaction removes the label from. A delivery waits for at most one such
 * transaction.
 */
const batch = 500;

/**
 * Removes a deleted label from its messages, in batches, and then removes its row. Another run goes
 * on where the last one stopped.
 * @returns `none` when there is no such label, or it is not deleted; `more` when the time of the
 *   run was over first
 */
export async function removeLabelRows(ctx: Ctx, labelId: string, run: Run = {}): Promise<'done' | 'more' | 'none'> {
  const [label] = await readRows<{ userId: string }>(
    ctx,
    'SELECT user_id AS userId FROM labels WHERE id = ? AND removed_at IS NOT NULL',
    [labelId],
  );
  if (label === undefined) return 'none';
  const slice = () => inTransaction(ctx, (tx) => takeFromSome(tx, labelId, String(label.userId)));
  if ((await inSlices(slice, run)) === 'more') return 'more';
  await changeRows(ctx, 'DELETE FROM labels WHERE id = ? AND removed_at IS NOT NULL', [labelId]);
  return 'done';
}

async function takeFromSome(ctx: TxCtx, labelId: string, userId: string): Promise<boolean> {
  const rows = await readRows<{ entryId: string }>(
    ctx,
    `SELECT entry_id AS entryId FROM entry_labels WHERE label_id = ? ORDER BY entry_id LIMIT ${batch}`,
    [labelId],
  );
  const ids = rows.map(({ entryId }) => String(entryId));
  if (ids.length === 0) return false;
  const entries = await lockEntries(ctx, userId, ids);
  await writeLabels(ctx, entries, { add: [], remove: [labelId] });
  // An entry that was deleted meanwhile is not among the locked ones
  await changeRows(ctx, 'DELETE FROM entry_labels WHERE label_id = ? AND entry_id IN (?)', [labelId, ids]);
  return true;
}
