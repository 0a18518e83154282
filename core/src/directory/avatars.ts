import type { Ctx, TxCtx } from '../context/context.ts';
import { ensureBlob } from '../mailstore/blob-references.ts';
import { removeBlobIfUnreferenced } from '../mailstore/remove-blob.ts';
import { avatarKey } from '../models/avatar-path.ts';

/**
 * Removes a person's former picture, unless another person has the same one. A person who chooses
 * the same picture at this moment waits at the locked key. Then `ensureAvatar` puts the bytes back.
 */
export async function removeAvatarIfUnused(
  ctx: Ctx,
  path: string | null,
): Promise<'removed' | 'still_used' | 'held' | 'not_ours'> {
  const key = avatarKey(path);
  return key === null ? 'not_ours' : await removeBlobIfUnreferenced(ctx, key);
}

/**
 * Puts the bytes of a picture back if they were removed since the caller stored them. Call it after
 * the person's row names the path.
 */
export async function ensureAvatar(ctx: TxCtx, path: string, bytes: Buffer): Promise<void> {
  const key = avatarKey(path);
  if (key !== null) await ensureBlob(ctx, key, bytes);
}
