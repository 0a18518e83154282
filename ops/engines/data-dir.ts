import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** A unix socket's path may have 107 bytes on Linux. */
const LONGEST = 107 - '/mariadb/mariadb.sock'.length;

/** Makes the data directory and its folders with the permissions each needs. */
export function makeDataDir(dataDir: string): void {
  if (Buffer.byteLength(dataDir) > LONGEST) {
    throw new Error(`SELVAGE_DATA is too long for unix sockets (${LONGEST} bytes at most): ${dataDir}`);
  }
  const made = mkdirSync(dataDir, { recursive: true });
  // The engines' accounts must be able to enter. What they must not read is closed folder by
  // folder.
  if (made) chmodSync(dataDir, 0o755);
  for (const [name, mode] of [
    ['secrets', 0o700],
    ['log', 0o750],
    ['run', 0o755],
  ] as const) {
    makeFolder(join(dataDir, name));
    chmodSync(join(dataDir, name), mode);
  }
}

/** On a disk that can only be read, `recursive` would say that the folder is not there. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if (!existsSync(path)) throw error;
  }
}

/**
 * Names an engine's socket in run/. The socket itself stays in the engine's closed folder, so run/
 * need not be writable for the engines' accounts, and no other account can put a socket in its
 * place.
 */
export function nameSocket(dataDir: string, engine: string): { socket: string; name: string } {
  const name = join(dataDir, 'run', `${engine}.sock`);
  rmSync(name, { force: true });
  symlinkSync(join('..', engine, `${engine}.sock`), name);
  return { socket: join(dataDir, engine, `${engine}.sock`), name };
}
