import { Transaction } from 'sequelize';
import { type Ctx, inTransaction, type TxCtx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import { log } from '../log.ts';
import { avatarPath } from '../models/avatar-path.ts';
import { isBlobShared } from './blob-references.ts';
import { areRemovalsHeld } from './removal-hold.ts';

/**
 * Removes a blob that nothing refers to: no message, no file of a draft, no avatar of a person. A
 * transaction that adds a reference at this moment waits for the lock on the key, and then stores
 * the bytes again (`ensureBlob`). While a backup runs nothing is removed, and a sweep removes the
 * blob later.
 * @param mayRemove called once the key is locked; if it returns false, the blob counts as used
 */
export async function removeBlobIfUnreferenced(
  ctx: Ctx,
  key: string,
  mayRemove: () => Promise<boolean> = async () => true,
): Promise<'removed' | 'still_used' | 'held'> {
  if (ctx.tx !== undefined) throw new Error('The removal of a blob needs a transaction of its own');
  // Only this isolation level has the gap locks that isBlobShared needs
  const isolationLevel = Transaction.ISOLATION_LEVELS.REPEATABLE_READ;
  return await inTransaction(
    ctx,
    async (tx) => {
      if (await areRemovalsHeld(tx)) return 'held';
      if ((await isAvatar(tx, key)) || (await isBlobShared(tx, '0', key))) return 'still_used';
      if (!(await mayRemove())) return 'still_used';
      await tx.app.blobs.remove(key);
      return 'removed';
    },
    { isolationLevel },
  );
}

/**
 * Whether the blob is an avatar. The lock keeps people from choosing it until the transaction ends.
 */
async function isAvatar(ctx: TxCtx, key: string): Promise<boolean> {
  const statement = 'SELECT id FROM users FORCE INDEX (users_avatar) WHERE avatar = ? LIMIT 1 FOR UPDATE';
  return (await readRows(ctx, statement, [avatarPath(key)])).length > 0;
}

/**
 * Removes bytes that no row refers to any more, such as those of a message that was refused or got
 * other bytes. Never throws: the sweep removes what is left after a failure.
 */
export async function removeUnneededBlob(ctx: Ctx, key: string): Promise<void> {
  try {
    await removeBlobIfUnreferenced(ctx, key);
  } catch (error) {
    log.warn('bytes that are not needed are left to the sweep', { blobKey: key, error });
  }
}
