import { Transaction } from 'sequelize';
import { type Ctx, inTransaction, type TxCtx } from '../context/context.ts';
import { changeRows, readRows } from '../database/run-sql.ts';
import { isBlobShared } from './blob-references.ts';
import { areRemovalsHeld } from './removal-hold.ts';

/** The result of the removal of a message. */
type RemovalOutcome = 'removed' | 'still_used' | 'not_there' | 'held';

/**
 * Removes a message and its bytes when no person has it any more: all its entries are deleted, no
 * delivery still needs its bytes, and no copy of a mailbox has it. The rows of the ledger stay,
 * without their reference to the message. It is safe to run this twice, and while the message is in
 * use. While a backup runs nothing is removed, and a sweep removes the message later.
 *
 * A new entry, or a new message of a copy, takes a shared lock on the message's row through its
 * foreign key. Deliveries are written together with the message; those of forwarded copies are
 * written with a new entry. So what is read here after the row is locked stays true. For other
 * messages with the same bytes see blob-references.ts.
 */
export async function removeMessageIfUnreferenced(ctx: Ctx, messageId: string): Promise<RemovalOutcome> {
  if (ctx.tx !== undefined) throw new Error('The removal of a message needs a transaction of its own');
  // Only this isolation level has the gap locks that isBlobShared needs
  const isolationLevel = Transaction.ISOLATION_LEVELS.REPEATABLE_READ;
  return await inTransaction(ctx, (tx) => remove(tx, messageId), { isolationLevel });
}

async function remove(ctx: TxCtx, messageId: string): Promise<RemovalOutcome> {
  if (await areRemovalsHeld(ctx)) return 'held';
  const [message] = await readRows<{ blobKey: string }>(
    ctx,
    'SELECT blob_key AS blobKey FROM messages WHERE id = ? FOR UPDATE',
    [messageId],
  );
  if (message === undefined) return 'not_there';
  if (await isNeeded(ctx, messageId)) return 'still_used';
  const isShared = await isBlobShared(ctx, messageId, message.blobKey);
  await deleteRows(ctx, messageId);
  // The blob is removed before the commit, while its key is locked. After a crash between the two,
  // the rows are back without their bytes. No person can see them, and the job or the sweep runs
  // again.
  if (!isShared) await ctx.app.blobs.remove(message.blobKey);
  return 'removed';
}

async function isNeeded(ctx: TxCtx, messageId: string): Promise<boolean> {
  const uses = await readRows(
    ctx,
    `(SELECT 1 FROM mailbox_entries WHERE message_id = ? AND folder <> 'gone' LIMIT 1)
     UNION ALL (SELECT 1 FROM deliveries WHERE message_id = ? AND state IN ('held', 'queued') LIMIT 1)
     UNION ALL (SELECT 1 FROM copied_entries WHERE message_id = ? LIMIT 1)`,
    [messageId, messageId, messageId],
  );
  return uses.length > 0;
}

async function deleteRows(ctx: TxCtx, messageId: string): Promise<void> {
  const statements = [
    'UPDATE deliveries SET message_id = NULL, entry_id = NULL WHERE message_id = ?',
    'DELETE FROM message_structures WHERE message_id = ?',
    'DELETE FROM attachments WHERE message_id = ?',
    'DELETE FROM mailbox_entries WHERE message_id = ?',
    'DELETE FROM messages WHERE id = ?',
  ];
  for (const statement of statements) await changeRows(ctx, statement, [messageId]);
}
