import type { TxCtx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import { unavailable } from '../errors.ts';
import { avatarPath } from '../models/avatar-path.ts';

/*
 * A blob is stored before the row that refers to it, and removed with the last such row. So the
 * removal of a blob and a new reference to the same bytes may happen at the same time:
 *
 *   new reference:  put blob -> insert row (waits for the lock) -> ensureBlob: put again if removed
 *   removal:        isBlobShared (locks the key, also against new rows) -> remove blob -> commit
 *
 * A crash during the first sequence may leave bytes without a row. A sweep removes them under the
 * same lock once they are a day old (compare-blobs.ts). A crash during the second one may leave an
 * unneeded message that has lost its bytes. Another sweep removes that message
 * (unused-messages.ts).
 */

/**
 * Whether anything but the given message refers to a blob: another message with the same bytes, a
 * file of a draft or a person's avatar. When nothing does, the key stays locked for messages and
 * drafts until the transaction ends. The transaction must have the isolation level REPEATABLE READ,
 * since only there a lock also covers rows that don't exist yet. Of the messages that share the
 * blob, the first is enough: a stranger may have sent the same bytes a hundred thousand times, and
 * each removal would lock them all. People's rows are not locked here: a message never has the
 * bytes of an avatar, and the removal of an avatar locks them itself.
 * @param messageId the message that does not count; '0' for none
 */
export async function isBlobShared(ctx: TxCtx, messageId: string, blobKey: string): Promise<boolean> {
  const messages = await readRows(
    ctx,
    'SELECT id FROM messages FORCE INDEX (messages_blob) WHERE blob_key = ? AND id <> ? LIMIT 1 FOR UPDATE',
    [blobKey, messageId],
  );
  const files = await readRows(ctx, 'SELECT id FROM draft_attachments WHERE blob_key = ? LIMIT 1 FOR UPDATE', [
    blobKey,
  ]);
  const people = await readRows(ctx, 'SELECT id FROM users WHERE avatar = ? LIMIT 1', [avatarPath(blobKey)]);
  return messages.length > 0 || files.length > 0 || people.length > 0;
}

/**
 * Stores a blob again if it was removed since it was stored. Call this after the row that refers to
 * the blob is written: then the result stays true until the commit.
 * @throws AppError unavailable when the blob was removed and its bytes are not given
 */
export async function ensureBlob(ctx: TxCtx, key: string, raw: Buffer | undefined): Promise<void> {
  if (ctx.app.blobs.stillHas(key)) return;
  if (raw === undefined) throw unavailable('the blob of a message was removed while it was stored');
  await ctx.app.blobs.put(raw);
}
