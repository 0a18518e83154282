import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The folders of a store in their order: the first two digits of the keys in them. */
export const blobFolders: readonly string[] = Array.from({ length: 256 }, (_, n) => n.toString(16).padStart(2, '0'));

/** What the disk says of a blob. */
export interface BlobFile {
  size: number;
  /** When the bytes were last put, in milliseconds since 1970. */
  putAt: number;
}

/** The keys of the blobs in a folder of a store, in their order. Other files are passed over. */
export async function listBlobs(directory: string, folder: string): Promise<string[]> {
  try {
    const names = await readdir(join(directory, folder));
    return names.filter((name) => /^[0-9a-f]{64}$/.test(name) && name.startsWith(folder)).sort();
  } catch (error) {
    // A folder is made when its first blob comes
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/** What the disk says of a blob; null when it is not there. */
export async function statBlob(directory: string, key: string): Promise<BlobFile | null> {
  try {
    const { size, mtimeMs } = await stat(pathOf(directory, key));
    return { size, putAt: mtimeMs };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Says whether the bytes of a blob are still those that it is named after. */
export async function inspectBlob(
  directory: string,
  key: string,
): Promise<'whole' | 'missing' | 'changed' | 'unreadable'> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(pathOf(directory, key), { highWaterMark: 256 * 1024 })) {
      hash.update(chunk as Buffer);
    }
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? 'missing' : 'unreadable';
  }
  return hash.digest('hex') === key ? 'whole' : 'changed';
}

function pathOf(directory: string, key: string): string {
  return join(directory, key.slice(0, 2), key);
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? '';
}
