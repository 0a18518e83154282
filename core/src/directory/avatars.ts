import type { Ctx, TxCtx } from '../context/context.ts';
import { ensureBlob } from '../mailstore/blob-references.ts';
import { removeBlobIfUnreferenced } from '../mailstore/remove-blob.ts';
import { avatarKey } from '../models/avatar-path.ts';

/**
 * Removes the picture that a person had before, unless another person has it. A person who takes
 * the same picture at this moment waits at the locked key, and then the bytes are put back
 * (`ensurePicture`).
 */
export async function removeAvatarIfUnused(
  ctx: Ctx,
  path: string | null,
): Promise<'removed' | 'still_used' | 'held' | 'not_ours'> {
  const key = avatarKey(path);
  return key === null ? 'not_ours' : await removeBlobIfUnreferenced(ctx, key);
}

/**
 * Puts a picture's bytes back if they were removed since they were put. Call it after its path is
 * written.
 */
export async function ensurePicture(ctx: TxCtx, path: string, bytes: Buffer): Promise<void> {
  const key = avatarKey(path);
  if (key !== null) await ensureBlob(ctx, key, bytes);
}
