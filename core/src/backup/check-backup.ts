import { join } from 'node:path';
import { proveBlobs } from './copy-blobs.ts';
import { damagedFiles, listFile, type Snapshot } from './manifest.ts';
import type { Progress } from './progress.ts';

/** What is damaged in a snapshot. */
export interface Damage {
  /** Its files that are missing or were changed, by their paths in the snapshot. */
  files: ReadonlySet<string>;
  /** All of it, in words; empty when the snapshot is whole. */
  lines: string[];
}

/**
 * Reads all of a snapshot and compares it with its checksums. Blobs that the host itself had lost
 * before the backup don't count.
 */
export async function checkBackup(
  directory: string,
  snapshot: Snapshot,
  { progress, signal, acceptsLosses = false }: { progress: Progress; signal?: AbortSignal; acceptsLosses?: boolean },
): Promise<Damage> {
  const damaged = await damagedFiles(snapshot, signal);
  const [files, lines] = [new Set(damaged.keys()), [...damaged.values()]];
  // Without the right list there is nothing to compare with
  if (files.has(listFile)) return { files, lines };
  const [blobs, list] = [join(directory, 'blobs'), join(snapshot.path, listFile)];
  const { bad } = await proveBlobs({ directory: blobs, list, progress, signal, acceptsLosses });
  const absent = new Set(snapshot.manifest.absent);
  lines.push(...bad.filter((key) => !absent.has(key)).map((key) => `blob ${key} is missing or was changed`));
  return { files, lines };
}
