import { joinBytes } from '../share-bytes.ts';
import type { App } from '../context/app.ts';
import { withoutForgedResults } from '../mail/forged-results.ts';
import type { Message } from '../models/message.ts';
import { readBlob } from './read-blob.ts';

/**
 * The whole bytes of a message as its reader gets them: the trace headers of this host, then the
 * message without authentication results that its sender forged in the name of this host.
 * Everything that hands out a message (a download, an export, a mail program) uses this function.
 * The blob itself is never changed, since its hash is its key.
 */
export async function readSource(
  { blobs, config }: App,
  { blobKey, traceHeaders }: Pick<Message, 'blobKey' | 'traceHeaders'>,
): Promise<Buffer> {
  const raw = await readBlob(blobs, blobKey);
  return await joinBytes([Buffer.from(traceHeaders), ...withoutForgedResults(raw, config.hostname)]);
}
