import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readIfThere } from '../secrets/published-file.ts';

const file = 'last-backup';

/**
 * Notes beside the data of the host when its newest backup was taken. The database would not do: a
 * restored host would then say that it is backed up.
 */
export async function noteBackup(dataDir: string, takenAt: Date): Promise<void> {
  const path = join(dataDir, file);
  await writeFile(`${path}.new`, `${takenAt.toISOString()}\n`);
  await rename(`${path}.new`, path);
}

/** When the newest backup that this host knows of was taken; null when it knows of none. */
export function lastBackup(dataDir: string): Date | null {
  const text = readIfThere(join(dataDir, file));
  const moment = new Date(text?.trim() ?? '');
  return Number.isNaN(moment.getTime()) ? null : moment;
}
