import type { StoredBlob } from '../context/app.ts';
import { afterRollback, type Ctx, systemContext } from '../context/context.ts';
import { removeBlobIfUnreferenced } from './remove-blob.ts';

/**
 * Stores the bytes that a row of the caller's transaction will refer to. If that transaction is
 * rolled back, the bytes are removed again, since another run may compose others. When its commit
 * may have succeeded, the sweep decides about them. Without a transaction this only stores them.
 */
export async function putBlob(ctx: Ctx, source: Buffer): Promise<StoredBlob> {
  const { app, tx, requestId } = ctx;
  const blob = await app.blobs.put(source);
  const remove = async () => void (await removeBlobIfUnreferenced(systemContext(app, requestId), blob.key));
  if (tx !== undefined) afterRollback({ ...ctx, tx }, remove);
  return blob;
}
