import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseTarget } from '../database/run-statement.ts';
import { blobFolders, openBlobStore } from '../mailstore/blob-store.ts';
import { OperatorError } from '../operator-error.ts';
import { refuseOthersDirectory } from './directory-owner.ts';
import { whileRemovalsHeld } from './keep-hold.ts';
import { readKeys } from './key-list.ts';
import { damageOf, listFile, listSnapshots, openSnapshot, unfinished } from './manifest.ts';
import type { Progress } from './progress.ts';

/** What to keep. */
export interface Pruning {
  directory: string;
  /** How many snapshots stay, including a new one. */
  keep: number;
  /** Name of the snapshot that was just made, if there is one. */
  made?: string;
  progress: Progress;
  /** Ends the work before the next removal. */
  signal: AbortSignal;
}

/**
 * Prunes a directory without making a backup, for which a full disk has no room.
 * @throws OperatorError when the directory is another host's, or has no snapshot and so may be the
 * wrong one
 */
export async function pruneAlone(
  target: DatabaseTarget,
  pruning: Omit<Pruning, 'made'> & { secretKey: Buffer },
): Promise<void> {
  const { directory, secretKey } = pruning;
  refuseOthersDirectory(directory, secretKey);
  if ((await listSnapshots(directory)).length === 0)
    throw new OperatorError(`there is no finished backup in ${directory}`);
  // The hold keeps backups away that run, whose blobs no list names yet
  await whileRemovalsHeld(target, pruning, async ({ signal }) => {
    await removeUnfinished(directory);
    await pruneBackups({ ...pruning, signal });
  });
}

/**
 * Removes all but the newest snapshots of a directory, and the blobs that none of those needs. A
 * snapshot that was removed by hand leaves such blobs too. The snapshot that was just made stays,
 * even when a clock that was ahead has given others a later name. The lists are sorted, so only one
 * folder's keys are in memory at a time.
 * @throws OperatorError when a list is damaged; then nothing is removed
 */
export async function pruneBackups({ directory, keep, made, progress, signal }: Pruning): Promise<void> {
  const names = await listSnapshots(directory);
  const others = names.filter((name) => name !== made);
  const old = others.slice(0, Math.max(0, names.length - keep));
  const kept = names.filter((name) => !old.includes(name));
  await refuseDamagedLists(directory, kept, signal);
  for (const name of old) {
    signal.throwIfAborted();
    // Renamed first: a half-removed snapshot must not look like a whole one
    const doomed = join(directory, `${unfinished}${name}`);
    await rename(join(directory, name), doomed);
    await rm(doomed, { recursive: true, force: true });
  }
  const removed = await removeUnlisted(directory, kept, signal);
  if (old.length > 0 || removed > 0)
    progress.say(`removed ${old.length} older backups and ${removed} blobs that no other one needs`);
}

/**
 * Removes the folder that an interrupted backup left. The next backup uses the blobs that it
 * copied.
 */
export async function removeUnfinished(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (name.startsWith(unfinished)) await rm(join(directory, name), { recursive: true, force: true });
  }
}

/** Compares the lists with their checksums first: a damaged one may name too few blobs. */
async function refuseDamagedLists(directory: string, kept: readonly string[], signal: AbortSignal): Promise<void> {
  for (const name of kept) {
    const damage = await damageOf(await openSnapshot(directory, name), listFile, signal);
    if (damage !== null) throw new OperatorError(`${damage}, so nothing shows which blobs that backup needs`);
  }
}

async function removeUnlisted(directory: string, kept: readonly string[], signal: AbortSignal): Promise<number> {
  const store = await openBlobStore(join(directory, 'blobs'));
  const lists = kept.map((name) => byFolder(join(directory, name, listFile)));
  let removed = 0;
  for (const folder of blobFolders) {
    const needed = new Set<string>();
    for (const list of lists) for (const key of await list.take(folder)) needed.add(key);
    for (const key of await store.list(folder)) {
      if (needed.has(key)) continue;
      signal.throwIfAborted();
      await store.remove(key);
      removed += 1;
    }
  }
  return removed;
}

/** Reads a sorted list folder by folder. */
function byFolder(file: string): { take: (folder: string) => Promise<string[]> } {
  const keys = readKeys(file);
  let next: IteratorResult<string, unknown> | undefined;
  return {
    take: async (folder) => {
      const taken: string[] = [];
      next ??= await keys.next();
      while (!next.done && next.value.startsWith(folder)) {
        taken.push(next.value);
        next = await keys.next();
      }
      return taken;
    },
  };
}
