import type { StoredBlob } from '../context/app.ts';
import { afterRollback, type Ctx, systemContext } from '../context/context.ts';
import { removeBlobIfUnreferenced } from './remove-blob.ts';

/**
 * Puts the bytes that a row of the caller's transaction will refer to. When that transaction fails,
 * the bytes are removed again: if it is run again, it may compose others. Without a transaction
 * this only puts them.
 */
export async function putBlob(ctx: Ctx, source: AsyncIterable<Uint8Array> | Buffer): Promise<StoredBlob> {
  const { app, tx, requestId } = ctx;
  const blob = await app.blobs.put(source);
  const remove = async () => void (await removeBlobIfUnreferenced(systemContext(app, requestId), blob.key));
  if (tx !== undefined) afterRollback({ ...ctx, tx }, remove);
  return blob;
}
