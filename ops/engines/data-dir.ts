import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** A unix socket's path may have 107 bytes on Linux. */
const LONGEST = 107 - '/run/mariadb.sock'.length;

/** Makes the data directory and its folders with the permissions each needs. */
export function makeDataDir(dataDir: string): void {
  if (Buffer.byteLength(dataDir) > LONGEST) {
    throw new Error(`SELVAGE_DATA is too long for unix sockets (${LONGEST} bytes at most): ${dataDir}`);
  }
  const made = mkdirSync(dataDir, { recursive: true });
  // The engines' accounts must walk through; what they must not read is closed folder by folder.
  if (made) chmodSync(dataDir, 0o755);
  for (const [name, mode] of [
    ['secrets', 0o700],
    ['log', 0o750],
    ['run', runMode()],
  ] as const) {
    mkdirSync(join(dataDir, name), { recursive: true });
    chmodSync(join(dataDir, name), mode);
  }
}

/** As root two accounts put their sockets into run/; the sticky bit keeps them, and everybody else, from each other's. */
function runMode(): number {
  return process.getuid?.() === 0 ? 0o1777 : 0o755;
}
