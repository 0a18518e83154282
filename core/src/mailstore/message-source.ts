import { joinBytes } from '../share-bytes.ts';
import type { App } from '../context/app.ts';
import { withoutForgedResults } from '../mail/forged-results.ts';
import type { Message } from '../models/message.ts';
import { readBlob } from './read-blob.ts';

/**
 * The whole bytes of a message as its reader gets them: the trace headers of this host, then the
 * message without what claims to be this host's word. Every door that hands out a message (a
 * download, an export, a mail program) takes it from here. The blob itself stays as it came, since
 * its hash is its key.
 */
export async function readSource(
  { blobs, config }: App,
  { blobKey, traceHeaders }: Pick<Message, 'blobKey' | 'traceHeaders'>,
): Promise<Buffer> {
  const raw = await readBlob(blobs, blobKey);
  return await joinBytes([Buffer.from(traceHeaders), ...withoutForgedResults(raw, config.hostname)]);
}
