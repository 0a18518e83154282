import { createHash, randomUUID } from 'node:crypto';
import { close, createReadStream, fdatasync, fsync, open, type ReadStream, write } from 'node:fs';
import { access, mkdir, readdir, rename, rm, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BlobStore, StoredBlob } from '../context/app.ts';
import { unavailable } from '../errors.ts';

// Layout: <directory>/ab/abcd… (the SHA-256 of the content), <directory>/tmp/<uuid> while a file is
// written. A file appears under its final name only when its bytes are on the disk, and put()
// returns only when the name is on the disk too. One level of folders is enough: today's file
// systems index them, and with a second level most messages would need a new folder.

const dayMs = 86_400_000;

/** Causes that end when the operator makes room or repairs the disk. */
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

/**
 * Opens a store in a directory. Makes the directory if needed and removes files that a crash left
 * half-written.
 */
export async function openBlobStore(directory: string): Promise<BlobStore> {
  await mkdir(join(directory, 'tmp'), { recursive: true, mode: 0o700 });
  await removeUnfinished(directory);
  return new FileBlobStore(directory);
}

/** The same store for reading alone, without work at its start. */
export function openBlobsForReading(directory: string): Pick<BlobStore, 'get'> {
  return new FileBlobStore(directory);
}

/** Removes files that were begun a day ago: the process that wrote them has died. */
export async function removeUnfinished(directory: string): Promise<void> {
  const temporary = join(directory, 'tmp');
  const limit = Date.now() - dayMs;
  for (const name of await readdir(temporary)) {
    const path = join(temporary, name);
    try {
      if ((await stat(path)).mtimeMs < limit) await unlink(path);
    } catch (error) {
      // The file was finished, or another process has removed it
      if (codeOf(error) !== 'ENOENT') throw error;
    }
  }
}

class FileBlobStore implements BlobStore {
  readonly #directory: string;
  /** Open descriptors of the folders. A folder's name is on the disk when its promise resolves. */
  readonly #folders = new Map<string, Promise<number>>();

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

  /**
   * Renaming over an existing file is right: it has the same content, and its name may not be on
   * the disk yet.
   */
  async #publish(temporary: string, key: string): Promise<void> {
    const folder = join(this.#directory, key.slice(0, 2));
    const descriptor = await this.#openFolder(folder);
    try {
      await rename(temporary, join(folder, key));
    } catch (error) {
      // The folder may have been replaced, so the next put opens it again
      this.#folders.delete(folder);
      throw error;
    }
    await disk.sync(descriptor);
  }

  /**
   * Opens a folder and syncs its name, also of one that exists: the process that made it may have
   * died before it could. Puts that come at one time share this.
   */
  async #openFolder(folder: string): Promise<number> {
    const known = this.#folders.get(folder);
    if (known !== undefined) return await known;
    const opened = this.#makeFolder(folder);
    this.#folders.set(folder, opened);
    try {
      return await opened;
    } catch (error) {
      this.#folders.delete(folder);
      throw error;
    }
  }

  /** A folder stays open as long as the process. There are at most 256. */
  async #makeFolder(folder: string): Promise<number> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const parent = await disk.open(this.#directory, 'r');
    try {
      await disk.sync(parent);
    } finally {
      await disk.close(parent);
    }
    return await disk.open(folder, 'r');
  }

  #path(key: string): string {
    if (!/^[0-9a-f]{64}$/.test(key)) throw new Error('a blob key is 64 hexadecimal digits');
    return join(this.#directory, key.slice(0, 2), key);
  }
}

// Descriptors instead of FileHandle: each message opens two, and a handle costs several times as
// much
const disk = {
  open: promisify(open),
  write: promisify(write),
  datasync: promisify(fdatasync),
  sync: promisify(fsync),
  close: promisify(close),
};

async function writeDurably(path: string, source: AsyncIterable<Uint8Array> | Buffer): Promise<StoredBlob> {
  const file = await disk.open(path, 'wx', 0o600);
  try {
    const blob = Buffer.isBuffer(source) ? await writeBuffer(file, source) : await writeStream(file, source);
    await disk.datasync(file);
    return blob;
  } finally {
    await disk.close(file);
  }
}

/** Hashing takes the event loop, so a large message is hashed piece by piece. */
async function writeBuffer(file: number, bytes: Buffer): Promise<StoredBlob> {
  const hash = createHash('sha256');
  const pieceBytes = 4_194_304;
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    const piece = bytes.subarray(start, start + pieceBytes);
    hash.update(piece);
    await writeAll(file, piece);
  }
  return { key: hash.digest('hex'), size: bytes.length };
}

/** Gathers small chunks, since a message arrives line by line and each write is a system call. */
async function writeStream(file: number, source: AsyncIterable<Uint8Array>): Promise<StoredBlob> {
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

/**
 * A full disk may take only the first part of a write; the next write then fails with the cause.
 */
async function writeAll(file: number, bytes: Buffer): Promise<void> {
  let offset = 0;
  while (offset < bytes.length) {
    const { bytesWritten } = await disk.write(file, bytes, offset);
    offset += bytesWritten;
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? '';
}
