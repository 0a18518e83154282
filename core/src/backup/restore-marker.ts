import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readIfThere } from '../secrets/published-file.ts';
import type { Config } from '../process/config.ts';
import { OperatorError } from '../operator-error.ts';

const markerOf = ({ dataDir }: Pick<Config, 'dataDir'>) => join(dataDir, 'restore-unfinished');

/** Notes that a restore has begun to change this host. */
export async function markRestoring(config: Pick<Config, 'dataDir'>, snapshot: string): Promise<void> {
  await mkdir(config.dataDir, { recursive: true });
  await writeFile(markerOf(config), `${snapshot}\n`, { flush: true });
}

export async function unmarkRestoring(config: Pick<Config, 'dataDir'>): Promise<void> {
  await rm(markerOf(config), { force: true });
}

/** Says whether a restore is under way or was interrupted. */
export function isHalfRestored(config: Pick<Config, 'dataDir'>): boolean {
  return readIfThere(markerOf(config)) !== null;
}

/**
 * @throws OperatorError when a restore is under way or was interrupted, since a part of the host is
 * missing
 */
export function refuseHalfRestored(config: Pick<Config, 'dataDir'>): void {
  if (!isHalfRestored(config)) return;
  throw new OperatorError(
    'A restore into this host has not ended, so a part of it is missing. If it was interrupted, run ./ops/restore again.',
  );
}
