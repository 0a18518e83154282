import { readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

/*
 * The path of the index of a mailbox: `<two digits>/<user>.<generation>.db`. An index that can't be
 * read gets a new generation instead of a new file of the same name, since another process may have
 * the old one open, and SQLite finds its further files (`-wal`, `-shm`) by their names.
 */

const fileName = /^(\d{1,19})\.(\d{1,9})\.db$/;

/** The file of a mailbox's index: the newest generation that exists, or the first one. */
export function indexPath(directory: string, userId: string): string {
  const folder = join(directory, userId.slice(-2).padStart(2, '0'));
  const generations = namesIn(folder).flatMap((name) => {
    const [, owner, generation] = fileName.exec(name) ?? [];
    return owner === userId ? [Number(generation)] : [];
  });
  return join(folder, `${userId}.${Math.max(1, ...generations)}.db`);
}

/** The file that replaces an index that can't be read. */
export function nextGeneration(directory: string, { userId, path }: { userId: string; path: string }): string {
  const newest = indexPath(directory, userId);
  if (newest !== path) return newest;
  const [, , generation = '0'] = fileName.exec(path.slice(dirname(path).length + 1)) ?? [];
  return join(dirname(path), `${userId}.${Number(generation) + 1}.db`);
}

/** Removes an index with the files that SQLite stores beside it. */
export function removeIndex(path: string): void {
  for (const ending of ['', '-wal', '-shm']) rmSync(`${path}${ending}`, { force: true });
}

/** Removes all generations of a person's index. Returns how many there were. */
export function removeIndexesOf(folder: string, userId: string): number {
  const names = namesIn(folder).filter((name) => fileName.exec(name)?.[1] === userId);
  for (const name of names) removeIndex(join(folder, name));
  return names.length;
}

/**
 * Removes all indexes of a host that does not run, and nothing else. They are built again from the
 * mail that is there.
 */
export function removeAllIndexes(directory: string): void {
  for (const name of namesIn(directory).filter((one) => /^\d\d$/.test(one))) {
    const folder = join(directory, name);
    for (const owner of ownersIn(folder)) removeIndexesOf(folder, owner);
  }
}

/** The people whose indexes are in a folder. */
export function ownersIn(folder: string): string[] {
  return [...new Set(namesIn(folder).flatMap((name) => fileName.exec(name)?.[1] ?? []))];
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
