import { join } from 'node:path';
import { proveBlobs } from './copy-blobs.ts';
import { damagedFiles, listFile, type Snapshot } from './manifest.ts';
import type { Progress } from './progress.ts';

/**
 * Reads all of a snapshot and compares it with its checksums.
 * @returns what is damaged, in words; empty when the snapshot is whole. Blobs that the host itself
 * had lost before the backup don't count
 */
export async function checkBackup(
  directory: string,
  snapshot: Snapshot,
  { progress, signal, acceptsLosses = false }: { progress: Progress; signal?: AbortSignal; acceptsLosses?: boolean },
): Promise<string[]> {
  const damaged = await damagedFiles(snapshot, signal);
  const list = join(snapshot.path, listFile);
  // Without the right list there is nothing to compare with
  if (damaged.some((line) => line.startsWith(list))) return damaged;
  const blobs = join(directory, 'blobs');
  const { bad } = await proveBlobs({ directory: blobs, list, progress, signal, acceptsLosses });
  const absent = new Set(snapshot.manifest.absent);
  return [...damaged, ...bad.filter((key) => !absent.has(key)).map((key) => `blob ${key} is missing or was changed`)];
}
