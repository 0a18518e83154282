import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, type ReadStream } from 'node:fs';
import { access, type FileHandle, mkdir, open, readdir, rename, rm, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { unavailable } from '../errors.ts';

// Layout: <directory>/ab/cd/abcd… (the SHA-256 of the content), <directory>/tmp/<uuid> while a file is being written.
// A file appears under its final name only when its bytes are on the disk, and put() returns only when the name is as well.

/** What a stored blob is found by. */
export interface StoredBlob {
  /** SHA-256 of the content, hexadecimal. */
  key: string;
  size: number;
}

/** Bytes by content: the same content is stored once. */
export interface BlobStore {
  /** Stores durably: when it returns, the bytes outlive a power cut. @throws AppError `unavailable` if the store can't take them. */
  put(source: AsyncIterable<Uint8Array> | Buffer): Promise<StoredBlob>;
  /** The bytes, or those from `start` to `end` (inclusive). A missing blob shows as an error of the stream. */
  get(key: string, range?: { start: number; end?: number }): Readable;
  has(key: string): Promise<boolean>;
  /** Removes a blob; one that is already gone is fine. */
  remove(key: string): Promise<void>;
}

const dayMs = 86_400_000;

/** Causes that heal when the operator makes room or repairs the disk. */
const storageCodes = new Set([
  'ENOSPC',
  'EDQUOT',
  'EROFS',
  'EIO',
  'EMFILE',
  'ENFILE',
  'EACCES',
  'EPERM',
  'ENODEV',
  'ESTALE',
]);

/** Opens a store in a directory, makes the directory if needed and removes what an earlier crash left half-written. */
export async function openBlobStore(directory: string): Promise<BlobStore> {
  await mkdir(join(directory, 'tmp'), { recursive: true, mode: 0o700 });
  await removeStale(join(directory, 'tmp'));
  return new FileBlobStore(directory);
}

async function removeStale(temporary: string): Promise<void> {
  const limit = Date.now() - dayMs;
  for (const name of await readdir(temporary)) {
    const path = join(temporary, name);
    try {
      if ((await stat(path)).mtimeMs < limit) await unlink(path);
    } catch (error) {
      // Another process that starts now removes the same file.
      if (codeOf(error) !== 'ENOENT') throw error;
    }
  }
}

class FileBlobStore implements BlobStore {
  readonly #directory: string;
  /** Folders whose name is on the disk or on its way, so that only their first file pays for them. */
  readonly #namedFolders = new Map<string, Promise<void>>();

  constructor(directory: string) {
    this.#directory = directory;
  }

  async put(source: AsyncIterable<Uint8Array> | Buffer): Promise<StoredBlob> {
    const temporary = join(this.#directory, 'tmp', randomUUID());
    try {
      const blob = await writeDurably(temporary, source);
      await this.#publish(temporary, blob.key);
      return blob;
    } catch (error) {
      await rm(temporary, { force: true });
      if (storageCodes.has(codeOf(error))) throw unavailable('the blob store cannot take a message', error);
      throw error;
    }
  }

  get(key: string, range?: { start: number; end?: number }): ReadStream {
    return createReadStream(this.#path(key), { ...range, highWaterMark: 256 * 1024 });
  }

  async has(key: string): Promise<boolean> {
    try {
      await access(this.#path(key));
      return true;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return false;
      throw error;
    }
  }

  async remove(key: string): Promise<void> {
    await rm(this.#path(key), { force: true });
  }

  /** Renaming over an existing file is right: it has the same content, and may not be on the disk yet. */
  async #publish(temporary: string, key: string): Promise<void> {
    const parent = join(this.#directory, key.slice(0, 2));
    const folder = join(parent, key.slice(2, 4));
    if (!this.#namedFolders.has(folder)) await mkdir(folder, { recursive: true, mode: 0o700 });
    await rename(temporary, join(folder, key));
    // The disk may take these names in any order: nobody is told of the blob before it has all of them
    const synced = [syncFolder(folder), this.#ensureNamed(folder, parent), this.#ensureNamed(parent, this.#directory)];
    const failed = (await Promise.allSettled(synced)).find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  /** Also syncs the name of a folder that was there: whoever made it may not have come to it. Puts at one time share a sync. */
  async #ensureNamed(folder: string, parent: string): Promise<void> {
    const known = this.#namedFolders.get(folder);
    if (known !== undefined) return await known;
    const synced = syncFolder(parent);
    this.#namedFolders.set(folder, synced);
    try {
      await synced;
    } catch (error) {
      this.#namedFolders.delete(folder);
      throw error;
    }
  }

  #path(key: string): string {
    if (!/^[0-9a-f]{64}$/.test(key)) throw new Error('a blob key is 64 hexadecimal digits');
    return join(this.#directory, key.slice(0, 2), key.slice(2, 4), key);
  }
}

async function writeDurably(path: string, source: AsyncIterable<Uint8Array> | Buffer): Promise<StoredBlob> {
  const file = await open(path, 'wx', 0o600);
  try {
    const blob = Buffer.isBuffer(source) ? await writeBuffer(file, source) : await writeStream(file, source);
    await file.datasync();
    return blob;
  } finally {
    await file.close();
  }
}

async function writeBuffer(file: FileHandle, bytes: Buffer): Promise<StoredBlob> {
  await writeAll(file, bytes);
  return { key: createHash('sha256').update(bytes).digest('hex'), size: bytes.length };
}

/** Gathers small chunks: a message arrives line by line, and each write is a system call. */
async function writeStream(file: FileHandle, source: AsyncIterable<Uint8Array>): Promise<StoredBlob> {
  const hash = createHash('sha256');
  const gatherBytes = 256 * 1024;
  let size = 0;
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  const flush = async (): Promise<void> => {
    const bytes = Buffer.concat(waiting, waitingBytes);
    waiting = [];
    waitingBytes = 0;
    hash.update(bytes);
    await writeAll(file, bytes);
  };
  for await (const chunk of source) {
    waiting.push(chunk);
    waitingBytes += chunk.length;
    size += chunk.length;
    if (waitingBytes >= gatherBytes) await flush();
  }
  await flush();
  return { key: hash.digest('hex'), size };
}

/** A full disk may take only the first part of a write; the next one then says why. */
async function writeAll(file: FileHandle, bytes: Buffer): Promise<void> {
  let offset = 0;
  while (offset < bytes.length) {
    const { bytesWritten } = await file.write(bytes, offset);
    offset += bytesWritten;
  }
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? '';
}
