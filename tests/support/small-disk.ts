import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A mounted file system of a few megabytes. */
export interface SmallDisk {
  path: string;
  /** Fills the disk completely. */
  fill(): Promise<void>;
  makeRoom(): Promise<void>;
  unmount(): void;
}

/** Mounts a small disk for a test. Null when mounting is not allowed (only root may mount). */
export function mountSmallDisk(size = '6m'): SmallDisk | null {
  const path = mkdtempSync(join(tmpdir(), 'selvage-disk-'));
  try {
    execFileSync('/bin/mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path], { stdio: 'pipe' });
  } catch {
    rmdirSync(path);
    return null;
  }
  const filler = join(path, 'filler');
  return {
    path,
    fill: () => writeUntilFull(filler),
    makeRoom: () => rm(filler),
    unmount: () => {
      // Lazily, since a process that is still ending may have a file open
      execFileSync('/bin/umount', ['-l', path]);
      rmdirSync(path);
    },
  };
}

async function writeUntilFull(path: string): Promise<void> {
  const file = await open(path, 'w');
  try {
    for (;;) await file.write(Buffer.alloc(4096));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    await file.close();
  }
}
