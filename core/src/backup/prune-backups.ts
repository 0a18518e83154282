import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { blobFolders, openBlobStore } from '../mailstore/blob-store.ts';
import { readKeys } from './key-list.ts';
import { listFile, listSnapshots, unfinished } from './manifest.ts';
import type { Progress } from './progress.ts';

/** What to keep. */
export interface Pruning {
  directory: string;
  /** How many snapshots stay, with the new one. */
  keep: number;
  /** Name of the snapshot that was just made. */
  made: string;
  progress: Progress;
}

/**
 * Removes all but the newest snapshots of a directory, and the blobs that only those needed. The
 * one that was just made stays, also when a clock that was ahead has given others a later name. The
 * lists are in order, so no more than one folder's keys are in memory.
 */
export async function pruneBackups({ directory, keep, made, progress }: Pruning): Promise<void> {
  const names = await listSnapshots(directory);
  const others = names.filter((name) => name !== made);
  const old = others.slice(0, Math.max(0, names.length - keep));
  for (const name of old) {
    // Its name goes first: half a snapshot must not look like a whole one
    const doomed = join(directory, `${unfinished}${name}`);
    await rename(join(directory, name), doomed);
    await rm(doomed, { recursive: true, force: true });
  }
  if (old.length === 0) return;
  const removed = await removeUnlisted(directory, [...others.slice(old.length), made]);
  progress.say(`removed ${old.length} older backups and ${removed} blobs that no other one needs`);
}

async function removeUnlisted(directory: string, kept: readonly string[]): Promise<number> {
  const store = await openBlobStore(join(directory, 'blobs'));
  const lists = kept.map((name) => byFolder(join(directory, name, listFile)));
  let removed = 0;
  for (const folder of blobFolders) {
    const needed = new Set<string>();
    for (const list of lists) for (const key of await list.take(folder)) needed.add(key);
    for (const key of await store.list(folder)) {
      if (needed.has(key)) continue;
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
