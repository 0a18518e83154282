import { createReadStream, existsSync, readFile, type ReadStream } from 'node:fs';
import { access, mkdir, readdir, rm, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BlobFile, BlobStore, StoredBlob } from '../context/app.ts';
import { unavailable } from '../errors.ts';
import { isLeftBehind, temporaryName } from '../temporary-files.ts';
import { DurableFolders, writeDurably } from './durable-files.ts';

// Layout: <directory>/ab/abcd… (the SHA-256 of the content), <directory>/tmp/<name> while a file is
// written. A file appears under its final name only when its bytes are on the disk, and put()
// returns only when the name is on the disk too. One level of folders is enough: today's file
// systems index them, and with a second level most messages would need a new folder.

/** The folders of a store in their order: the first two digits of the keys in them. */
export const blobFolders: readonly string[] = Array.from({ length: 256 }, (_, n) => n.toString(16).padStart(2, '0'));

// Without a FileHandle, as for writing: a handle costs several times as much as a descriptor
const readWhole = promisify(readFile);

/** Error codes of problems that end when the operator makes room or repairs the disk. */
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
  const store = new FileBlobStore(directory);
  await store.removeUnfinished();
  return store;
}

/** Opens the same store for reading alone. It does no work at its start. */
export function openBlobsForReading(directory: string): Pick<BlobStore, 'get' | 'stat' | 'list'> {
  return new FileBlobStore(directory);
}

/** Says whether a store has any bytes. */
export async function hasBlobs(blobs: Pick<BlobStore, 'list'>): Promise<boolean> {
  for (const folder of blobFolders) if ((await blobs.list(folder)).length > 0) return true;
  return false;
}

class FileBlobStore implements BlobStore {
  readonly #directory: string;
  readonly #folders = new DurableFolders();

  constructor(directory: string) {
    this.#directory = directory;
  }

  async put(source: AsyncIterable<Uint8Array> | Buffer): Promise<StoredBlob> {
    const temporary = join(this.#directory, 'tmp', temporaryName());
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

  async read(key: string): Promise<Buffer> {
    return await readWhole(this.#path(key));
  }

  async has(key: string): Promise<boolean> {
    return (await unlessMissing(access(this.#path(key)))) !== null;
  }

  stillHas(key: string): boolean {
    return existsSync(this.#path(key));
  }

  async remove(key: string): Promise<void> {
    await rm(this.#path(key), { force: true });
  }

  async list(prefix: string): Promise<string[]> {
    if (!/^[0-9a-f]{2,64}$/.test(prefix)) throw new Error('a prefix has 2 to 64 hexadecimal digits');
    // A folder is created with its first blob
    const names = (await unlessMissing(readdir(join(this.#directory, prefix.slice(0, 2))))) ?? [];
    return names.filter((name) => isKey(name) && name.startsWith(prefix)).sort();
  }

  async stat(key: string): Promise<BlobFile | null> {
    // A row may hold any text. A text that is no key must not stop a sweep
    const file = isKey(key) ? await unlessMissing(stat(this.#path(key))) : null;
    return file && { size: file.size, putAt: file.mtimeMs };
  }

  async removeUnfinished(): Promise<void> {
    const temporary = join(this.#directory, 'tmp');
    for (const name of await readdir(temporary)) {
      const path = join(temporary, name);
      // Missing: the file was finished, or another process has removed it
      const file = await unlessMissing(stat(path));
      if (file && isLeftBehind(name, file.mtimeMs)) await unlessMissing(unlink(path));
    }
  }

  #path(key: string): string {
    if (!isKey(key)) throw new Error('a blob key is 64 hexadecimal digits');
    return join(this.#directory, key.slice(0, 2), key);
  }
}

function isKey(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}

/** The result of work on a file; null when the file does not exist. */
async function unlessMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? '';
}
