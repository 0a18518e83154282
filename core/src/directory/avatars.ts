import { QueryTypes, Transaction } from 'sequelize';
import { ensureBlob, isBlobShared } from '../mailstore/blob-references.ts';
import { type Ctx, inTransaction, type TxCtx } from '../context/context.ts';
import { avatarKey } from '../models/avatar-path.ts';

/**
 * Removes the picture that a person had before, unless another person has it. A person who takes
 * the same picture at this moment waits at the locked key, and then the bytes are put back
 * (`ensurePicture`).
 */
export async function removeAvatarIfUnused(
  ctx: Ctx,
  path: string | null,
): Promise<'removed' | 'still_used' | 'not_ours'> {
  const key = avatarKey(path);
  if (key === null || path === null) return 'not_ours';
  // Only this isolation level has the gap locks that isBlobShared needs
  const isolationLevel = Transaction.ISOLATION_LEVELS.REPEATABLE_READ;
  return await inTransaction(
    ctx,
    async (tx) => {
      if (await isPictureUsed(tx, path)) return 'still_used';
      if (await isBlobShared(tx, '0', key)) return 'still_used';
      await tx.app.blobs.remove(key);
      return 'removed';
    },
    { isolationLevel },
  );
}

/**
 * Puts a picture's bytes back if they were removed since they were put. Call it after its path is
 * written.
 */
export async function ensurePicture(ctx: TxCtx, path: string, bytes: Buffer): Promise<void> {
  const key = avatarKey(path);
  if (key !== null) await ensureBlob(ctx, key, bytes);
}

async function isPictureUsed(ctx: TxCtx, path: string): Promise<boolean> {
  const users = await ctx.app.db.query<{ id: string }>(
    'SELECT id FROM users FORCE INDEX (users_avatar) WHERE avatar = :path LIMIT 1 FOR UPDATE',
    { replacements: { path }, type: QueryTypes.SELECT, transaction: ctx.tx },
  );
  return users.length > 0;
}
