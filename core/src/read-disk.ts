import { statfs } from 'node:fs/promises';

/** Reads the room of the file system behind a directory. */
export async function readDisk(directory: string): Promise<{ freeBytes: number; sizeBytes: number }> {
  const { bavail, blocks, bsize } = await statfs(directory);
  return { freeBytes: bavail * bsize, sizeBytes: blocks * bsize };
}
