import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { BlobStore } from '../context/app.ts';
import { contentLost, isContentLost } from '../errors.ts';
import { log } from '../log.ts';
import { damagedBlobs } from '../metrics.ts';

/**
 * How many bytes are hashed before other work gets a turn of the event loop; about 1 ms a megabyte.
 */
const pieceBytes = 4_194_304;

/**
 * The bytes of a blob. They are checked while they are read, since a key is the SHA-256 of its
 * bytes. Until the stream has ended without an error, a reader must not trust any of them.
 * @throws AppError `content_lost`: at the beginning when the blob is missing, at the end when its
 *   bytes have changed
 */
export async function* streamBlob(blobs: Pick<BlobStore, 'get'>, key: string): AsyncGenerator<Buffer, void> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of blobs.get(key)) {
      hash.update(chunk as Buffer);
      yield chunk as Buffer;
    }
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw contentLost('a blob is missing', error);
  }
  if (hash.digest('hex') !== key) throw contentLost('the bytes of a blob have changed');
}

/**
 * A range of a blob's bytes, from `start` to before `end`. Part of a blob can't be compared with
 * its key, so only missing bytes are noticed, and reported as damage.
 * @throws AppError `content_lost` when the blob is missing or too short
 */
export async function* streamRange(
  blobs: Pick<BlobStore, 'get'>,
  key: string,
  { start, end }: { start: number; end: number },
): AsyncGenerator<Buffer, void> {
  if (start >= end) return;
  let missing = end - start;
  try {
    for await (const chunk of blobs.get(key, { start, end: end - 1 })) {
      missing -= (chunk as Buffer).length;
      yield chunk as Buffer;
    }
    if (missing > 0) throw contentLost('a blob is too short');
  } catch (error) {
    const cause = isMissing(error) ? contentLost('a blob is missing', error) : error;
    reportLoss(key, cause);
    throw cause;
  }
}

/**
 * The first `most` bytes of a blob. Only a blob with fewer bytes can be compared with its key.
 * @throws AppError `content_lost` when it is missing, or known to be damaged
 */
export async function readBeginning(blobs: Pick<BlobStore, 'get'>, key: string, most: number): Promise<Buffer> {
  return await reportingLoss(key, async () => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of blobs.get(key, { start: 0, end: most - 1 })) chunks.push(chunk as Buffer);
    } catch (error) {
      throw isMissing(error) ? contentLost('a blob is missing', error) : error;
    }
    const bytes = Buffer.concat(chunks);
    if (bytes.length < most && (await hashOf(bytes)) !== key) throw contentLost('the bytes of a blob have changed');
    return bytes;
  });
}

/**
 * The whole of a blob.
 * @throws AppError `content_lost` when it is missing, or its bytes have changed
 */
export async function readBlob(blobs: Pick<BlobStore, 'read'>, key: string): Promise<Buffer> {
  return await reportingLoss(key, () => wholeBlob(blobs, key));
}

/** As `readBlob`, for callers that report the damage themselves. */
export async function wholeBlob(blobs: Pick<BlobStore, 'read'>, key: string): Promise<Buffer> {
  const bytes = await blobs.read(key).catch((error: unknown) => {
    throw isMissing(error) ? contentLost('a blob is missing', error) : error;
  });
  if ((await hashOf(bytes)) !== key) throw contentLost('the bytes of a blob have changed');
  return bytes;
}

/** Hashing blocks the event loop, so a large blob is hashed piece by piece. */
async function hashOf(bytes: Buffer): Promise<string> {
  const hash = createHash('sha256');
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    if (start > 0) await setImmediate();
    hash.update(bytes.subarray(start, start + pieceBytes));
  }
  return hash.digest('hex');
}

/** Reads a blob and compares its bytes with its key. */
export async function inspectBlob(
  blobs: Pick<BlobStore, 'get'>,
  key: string,
): Promise<'whole' | 'missing' | 'changed' | 'unreadable'> {
  const chunks = streamBlob(blobs, key);
  try {
    // The stream compares the bytes with the key when all of them are read
    while (!(await chunks.next()).done);
    return 'whole';
  } catch (error) {
    if (!isContentLost(error)) return 'unreadable';
    return isMissing((error as Error).cause) ? 'missing' : 'changed';
  }
}

/** Does work on a blob, and reports the damage when its bytes turn out to be lost. */
export async function reportingLoss<T>(blobKey: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    reportLoss(blobKey, error);
    throw error;
  }
}

function reportLoss(blobKey: string, error: unknown): void {
  if (!isContentLost(error)) return;
  damagedBlobs.inc({ problem: 'read' });
  log.error('stored bytes are damaged; put them back from a backup', { problem: 'read', blobKey, error });
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';
}
