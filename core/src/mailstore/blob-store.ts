import { randomUUID } from 'node:crypto';
import { createReadStream, type ReadStream } from 'node:fs';
import { access, mkdir, readdir, rm, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { BlobStore, StoredBlob } from '../context/app.ts';
import { unavailable } from '../errors.ts';
import { DurableFolders, writeDurably } from './durable-files.ts';

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
  readonly #folders = new DurableFolders();

  constructor(directory: string) {
    this.#directory = directory;
  }

  async put(source: AsyncIterable<Uint8Array> | Buffer): Promise<StoredBlob> {
    const temporary = join(this.#directory, 'tmp', randomUUID());
    try {
      const blob = await writeDurably(temporary, source);
      // Renaming over an existing file is right: it has the same content, and its name may not be
      // on the disk yet
      await this.#folders.publish(temporary, this.#path(blob.key));
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

  #path(key: string): string {
    if (!/^[0-9a-f]{64}$/.test(key)) throw new Error('a blob key is 64 hexadecimal digits');
    return join(this.#directory, key.slice(0, 2), key);
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? '';
}
