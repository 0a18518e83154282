import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { publishOnce, readIfThere } from '../secrets/published-file.ts';

/**
 * A file that gives a directory a random name. When the disk of the directory is not mounted,
 * another directory is in its place, which has no name or another one.
 */
export const nameFile = '.directory';

/** The name of a directory; null when it has none. */
export function readDirectoryName(directory: string): string | null {
  return readIfThere(join(directory, nameFile))?.trim() ?? null;
}

/**
 * Gives a directory a name, once, and makes it where it is not there.
 * @returns the name
 */
export async function nameDirectory(directory: string): Promise<string> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const known = readDirectoryName(directory);
  if (known !== null) return known;
  publishOnce(join(directory, nameFile), randomUUID(), 0o600);
  return readDirectoryName(directory) ?? '';
}
