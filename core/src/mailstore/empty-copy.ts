import { type Ctx, inTransaction, type TxCtx } from '../context/context.ts';
import { changeRows, readRows } from '../database/run-sql.ts';
import { causeOf, enqueueAll } from '../jobs/enqueue.ts';
import { removeMessage } from '../jobs/remove-message.ts';
import { MailCopy } from '../models/mail-copy.ts';
import { inSlices } from '../sweeps/in-slices.ts';
import type { Run } from '../sweeps/run.ts';

const sliceEntries = 500;

/**
 * Removes the contents of a copy of a mailbox, and enqueues the removal of messages that nothing
 * else needs. The row of the copy stays as long as its owner exists, as a record that there was a
 * copy. Another run goes on where the last one stopped.
 * @returns whether there is more to do
 */
export async function emptyCopy(ctx: Ctx, copyId: string, run: Run = {}): Promise<'more' | 'done'> {
  return await inSlices(() => inTransaction(ctx, (tx) => emptySlice(tx, copyId)), run);
}

/**
 * Removes copies for good: those that a person reads, or all of a company. No person can read them
 * once the first statement has committed.
 */
export async function removeCopies(
  ctx: Ctx,
  of: { viewerId: string } | { companyId: string },
  signal?: AbortSignal,
): Promise<void> {
  const now = new Date();
  const [column, id] = 'viewerId' in of ? ['viewer_id', of.viewerId] : ['company_id', of.companyId];
  await changeRows(
    ctx,
    `UPDATE mail_copies SET state = 'removing', deleted_at = COALESCE(deleted_at, ?), updated_at = ?
      WHERE ${column} = ? AND state <> 'removed'`,
    [now, now, id],
  );
  const rows = await readRows<{ id: string }>(
    ctx,
    `SELECT id FROM mail_copies WHERE ${column} = ? AND state = 'removing'`,
    [id],
  );
  for (const row of rows) await emptyCopy(ctx, String(row.id), { signal });
}

async function emptySlice(ctx: TxCtx, copyId: string): Promise<boolean> {
  const copy = await MailCopy.findByPk(copyId, { transaction: ctx.tx, lock: ctx.tx.LOCK.UPDATE });
  if (copy?.state !== 'removing') return false;
  const rows = await readRows<{ id: string; messageId: string }>(
    ctx,
    `SELECT id, message_id AS messageId FROM copied_entries FORCE INDEX (copied_entries_once)
      WHERE copy_id = ? ORDER BY entry_id LIMIT ${sliceEntries}`,
    [copyId],
  );
  if (rows.length === 0) {
    // The row stays as a record for the owner
    if (copy.ownerId === null) await copy.destroy({ transaction: ctx.tx });
    else await copy.update({ state: 'removed', bytes: '0', cursors: {} }, { transaction: ctx.tx });
    return false;
  }
  await changeRows(ctx, 'DELETE FROM copied_entries WHERE id IN (?)', [rows.map(({ id }) => String(id))]);
  await askForRemovals(ctx, [...new Set(rows.map(({ messageId }) => String(messageId)))]);
  copy.changed('updatedAt', true);
  await copy.save({ transaction: ctx.tx });
  return true;
}

/** Most messages are still in their owner's mailbox, and need no job. */
async function askForRemovals(ctx: TxCtx, messageIds: readonly string[]): Promise<void> {
  const unused = await readRows<{ id: string }>(
    ctx,
    `SELECT m.id FROM messages m WHERE m.id IN (?)
        AND NOT EXISTS (SELECT 1 FROM mailbox_entries e WHERE e.message_id = m.id AND e.folder <> 'gone')
        AND NOT EXISTS (SELECT 1 FROM copied_entries c WHERE c.message_id = m.id)`,
    [messageIds],
  );
  const causeId = causeOf(ctx);
  await enqueueAll(
    ctx,
    removeMessage,
    unused.map(({ id }) => ({ payload: { messageId: String(id) }, causeId })),
  );
}
