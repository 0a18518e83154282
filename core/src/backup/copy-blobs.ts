import type { BlobStore } from '../context/app.ts';
import { openBlobStore, openBlobsForReading } from '../mailstore/blob-store.ts';
import { inspectBlob, streamBlob } from '../mailstore/read-blob.ts';
import { forEachOf, readKeys } from './key-list.ts';
import { OperatorError } from '../operator-error.ts';
import { type Progress, readableBytes } from './progress.ts';

/** The two stores, and the list of the keys to copy. */
export interface Copying {
  /** Directories of blob stores. */
  from: string;
  to: string;
  list: string;
  progress: Progress;
  signal?: AbortSignal | undefined;
  /** Also reads the blobs that are there already, and copies damaged ones again. */
  isStrict?: boolean;
}

const atOnce = 16;
/** More bad blobs than this, if they are the majority, mean that the store itself is missing. */
const mostBad = 10_000;

/**
 * Copies the blobs that the other store lacks. Bytes are checked against their name on the way. A
 * blob that is damaged in the source is skipped: the proof that follows finds it.
 */
export async function copyBlobs({ from, to, list, progress, signal, isStrict }: Copying): Promise<void> {
  const [source, store] = [openBlobsForReading(from), await openBlobStore(to)];
  const copied = { blobs: 0, bytes: 0 };
  let seen = 0;
  const isThere = async (key: string, size: number) => {
    if ((await store.stat(key))?.size !== size) return false;
    return !isStrict || (await inspectBlob(store, key)) === 'whole';
  };
  await forEachOf(readKeys(list), { atOnce, signal }, async (key) => {
    const file = await source.stat(key);
    if (file !== null && !(await isThere(key, file.size)) && (await copyBlob(store, source, key))) {
      copied.blobs += 1;
      copied.bytes += file.size;
    }
    progress.at('blobs compared', (seen += 1));
  });
  progress.say(`${copied.blobs} new blobs copied (${readableBytes(copied.bytes)})`);
}

/** Copies one blob durably; false when the source lacks it, or has other bytes under its name. */
async function copyBlob(store: BlobStore, source: Pick<BlobStore, 'get'>, key: string): Promise<boolean> {
  try {
    await store.put(readSource(source, key));
    return true;
  } catch (error) {
    if (error instanceof SourceError) return false;
    throw error;
  }
}

/** A blob that can't be read, as opposed to one that can't be written. */
class SourceError extends Error {}

/**
 * Reads a blob and throws when its bytes don't match its name, before the store keeps any. To
 * remove them afterwards could remove another blob that has these bytes.
 */
async function* readSource(source: Pick<BlobStore, 'get'>, key: string): AsyncGenerator<Buffer> {
  try {
    yield* streamBlob(source, key);
  } catch (error) {
    throw new SourceError('a blob could not be read', { cause: error });
  }
}

/** The result of a proof. */
export interface Proof {
  blobs: number;
  bytes: number;
  /** Keys of the blobs that are missing or damaged. */
  bad: string[];
}

/** Options of a proof. */
export interface Proving {
  directory: string;
  list: string;
  progress: Progress;
  signal?: AbortSignal | undefined;
  /** Only checks that the blobs exist. */
  isQuick?: boolean;
  /** Accepts any number of bad blobs, for an operator who wants whatever is left. */
  acceptsLosses?: boolean;
  /** Tries to restore a blob that is missing or damaged. */
  mend?: (key: string) => Promise<void>;
}

/**
 * Proves that a store has every blob of a list, with the bytes that it is named after.
 * @throws OperatorError when most of many blobs are bad, unless losses are accepted
 */
export async function proveBlobs(proving: Proving): Promise<Proof> {
  const { directory, list, progress, signal, isQuick, acceptsLosses, mend } = proving;
  const proof: Proof = { blobs: 0, bytes: 0, bad: [] };
  const blobs = openBlobsForReading(directory);
  const isWhole = async (key: string) => isQuick || (await inspectBlob(blobs, key)) === 'whole';
  let seen = 0;
  await forEachOf(readKeys(list), { atOnce, signal }, async (key) => {
    let whole = await isWhole(key);
    if (!whole && mend) {
      await mend(key);
      whole = (await inspectBlob(blobs, key)) === 'whole';
    }
    const file = whole ? await blobs.stat(key) : null;
    if (file === null) proof.bad.push(key);
    else {
      proof.blobs += 1;
      proof.bytes += file.size;
    }
    progress.at(isQuick ? 'blobs looked at' : 'blobs read', (seen += 1));
  });
  const bad = proof.bad.length;
  if (bad > mostBad && bad > proof.blobs && !acceptsLosses) {
    throw new OperatorError(
      `${bad} of ${bad + proof.blobs} blobs are missing or damaged in ${directory}: is this the right place?`,
    );
  }
  proof.bad.sort();
  return proof;
}

/** Copies a blob again over a damaged one. */
export async function recopyBlob({ from, to }: Pick<Copying, 'from' | 'to'>, key: string): Promise<void> {
  await copyBlob(await openBlobStore(to), openBlobsForReading(from), key);
}
