import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '../operator-error.ts';
import { readIfThere } from '../secrets/published-file.ts';
import { markFile } from './manifest.ts';

/*
 * If two hosts backed up into one directory, `--keep` of one would remove the snapshots of the
 * other. So a mark in the directory names its host by a hash of the host's secret key. The key is
 * random, and a restored host keeps it.
 */

const explanation = 'Backups of a Selvage host. See ops/docs/BACKUPS.md of Selvage before you change anything here.\n';

function ownerOf(secretKey: Buffer): string {
  return createHash('sha256').update('selvage: owner of backups\n').update(secretKey).digest('hex');
}

/** @throws OperatorError when the directory is marked as that of another host */
export function refuseOthersDirectory(directory: string, secretKey: Buffer): void {
  // Earlier versions wrote no owner
  const owner = /^host: ([0-9a-f]{64})$/m.exec(readIfThere(join(directory, markFile)) ?? '')?.[1];
  if (owner === undefined || owner === ownerOf(secretKey)) return;
  throw new OperatorError(`${directory} holds the backups of another host; give each host a directory of its own`);
}

/** Marks a directory as that of the host. */
export async function markDirectory(directory: string, secretKey: Buffer): Promise<void> {
  await writeFile(join(directory, markFile), `${explanation}host: ${ownerOf(secretKey)}\n`, { mode: 0o600 });
}
