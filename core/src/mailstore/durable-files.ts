import { createHash, hash } from 'node:crypto';
import { close, closeSync, constants, fdatasync, fsync, open, write } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import type { StoredBlob } from '../context/app.ts';

// Descriptors instead of FileHandle: a handle costs several times as much
const disk = {
  open: promisify(open),
  write: promisify(write),
  datasync: promisify(fdatasync),
  sync: promisify(fsync),
  close: promisify(close),
};

/**
 * Writes a new file. When it returns, the bytes are on the disk, but the file's name may not be.
 * @returns the SHA-256 of the bytes, and their number
 */
export async function writeDurably(path: string, source: AsyncIterable<Uint8Array> | Buffer): Promise<StoredBlob> {
  if (Buffer.isBuffer(source) && source.length <= pieceBytes) return await writeAtOnce(path, source);
  const file = await disk.open(path, 'wx', 0o600);
  try {
    const blob = Buffer.isBuffer(source) ? await writeBuffer(file, source) : await writeStream(file, source);
    await disk.datasync(file);
    return blob;
  } finally {
    await disk.close(file);
  }
}

const { O_WRONLY, O_CREAT, O_EXCL, O_DSYNC } = constants;

/**
 * Writes bytes that need one write. With O_DSYNC that write itself waits for the disk, as fdatasync
 * would (open(2)). Each call that is left out saves a way to a thread of the pool and back.
 */
async function writeAtOnce(path: string, bytes: Buffer): Promise<StoredBlob> {
  const file = await disk.open(path, O_WRONLY | O_CREAT | O_EXCL | O_DSYNC, 0o600);
  try {
    const written = writeAll(file, bytes);
    // While the disk works
    const key = hash('sha256', bytes);
    await written;
    return { key, size: bytes.length };
  } finally {
    // Nothing is left to write, so this waits for nothing
    closeSync(file);
  }
}

/** The most bytes that are hashed, or written, in one go: hashing blocks the event loop. */
const pieceBytes = 4_194_304;

async function writeBuffer(file: number, bytes: Buffer): Promise<StoredBlob> {
  const digest = createHash('sha256');
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    const piece = bytes.subarray(start, start + pieceBytes);
    digest.update(piece);
    await writeAll(file, piece);
  }
  return { key: digest.digest('hex'), size: bytes.length };
}

/** Gathers small chunks, since each write is a system call. */
async function writeStream(file: number, source: AsyncIterable<Uint8Array>): Promise<StoredBlob> {
  const digest = createHash('sha256');
  const gatherBytes = 256 * 1024;
  let size = 0;
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  const flush = async (): Promise<void> => {
    const bytes = Buffer.concat(waiting, waitingBytes);
    waiting = [];
    waitingBytes = 0;
    digest.update(bytes);
    await writeAll(file, bytes);
  };
  for await (const chunk of source) {
    waiting.push(chunk);
    waitingBytes += chunk.length;
    size += chunk.length;
    if (waitingBytes >= gatherBytes) await flush();
  }
  await flush();
  return { key: digest.digest('hex'), size };
}

/**
 * When the disk is full, a write may write only its first part. The next write then fails with the
 * cause.
 */
async function writeAll(file: number, bytes: Buffer): Promise<void> {
  let offset = 0;
  while (offset < bytes.length) {
    const { bytesWritten } = await disk.write(file, bytes, offset);
    offset += bytesWritten;
  }
}

/**
 * Folders that files are moved into. A folder stays open as long as the process, so there should be
 * few of them.
 */
export class DurableFolders {
  /** Open descriptors of the folders. A folder's name is on the disk when its promise resolves. */
  readonly #folders = new Map<string, Promise<number>>();

  /**
   * Renames a file and makes the folder of its new path if needed. When it returns, the new name is
   * on the disk.
   */
  async publish(file: string, path: string): Promise<void> {
    const folder = dirname(path);
    const descriptor = await this.#openFolder(folder);
    try {
      await rename(file, path);
    } catch (error) {
      // The folder may have been replaced, so the next call opens it again
      this.#folders.delete(folder);
      throw error;
    }
    await disk.sync(descriptor);
  }

  /**
   * Opens a folder and syncs its name, even if the folder existed before: the process that made it
   * may have died before its sync. Concurrent calls share one attempt.
   */
  async #openFolder(folder: string): Promise<number> {
    const known = this.#folders.get(folder);
    if (known !== undefined) return await known;
    const opened = makeFolder(folder);
    this.#folders.set(folder, opened);
    try {
      return await opened;
    } catch (error) {
      this.#folders.delete(folder);
      throw error;
    }
  }
}

/** Makes a folder and returns a descriptor of it, which stays open. */
async function makeFolder(folder: string): Promise<number> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await syncFolder(dirname(folder));
  return await disk.open(folder, 'r');
}

/** Waits until the names in a folder are on the disk. */
export async function syncFolder(folder: string): Promise<void> {
  const descriptor = await disk.open(folder, 'r');
  try {
    await disk.sync(descriptor);
  } finally {
    await disk.close(descriptor);
  }
}
