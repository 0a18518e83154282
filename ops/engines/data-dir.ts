import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '@selvage/core/operator-error';

/** A unix socket's path may have 107 bytes on Linux. */
const longest = 107 - '/mariadb/mariadb.sock'.length;
/** Accounts of people have higher numbers (SYS_UID_MAX of login.defs). */
const lastSystemAccount = 999;

/**
 * Makes the data directory and its folders with the permissions each needs.
 * @throws OperatorError when root meets the host of another account
 */
export function makeDataDir(dataDir: string): void {
  if (Buffer.byteLength(dataDir) > longest) {
    throw new Error(`SELVAGE_DATA is too long for unix sockets (${longest} bytes at most): ${dataDir}`);
  }
  refuseHostOfOther(dataDir);
  const made = mkdirSync(dataDir, { recursive: true });
  // The engines' accounts must be able to enter. Each folder that they must not read is closed by
  // itself
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

/**
 * Refuses root a host that runs without root. Root starts the engines under accounts of their own,
 * which would get the files, and what root writes is closed to the account of the host.
 * @throws OperatorError
 */
export function refuseHostOfOther(dataDir: string, checkout = join(import.meta.dirname, '../..')): void {
  const owner = accountOf(dataDir, checkout);
  if (process.getuid?.() !== 0 || owner === 0) return;
  const account = spawnSync('id', ['-nu', '--', String(owner)], { encoding: 'utf8' }).stdout.trim() || `#${owner}`;
  throw new OperatorError(
    `the host in ${dataDir} belongs to the account ${account}: run this command as that account, with runuser -u ${account} -- COMMAND`,
  );
}

/**
 * The account of a host. Before its first start that is the system account to which the directory
 * belongs, or else the checkout. A checkout of a person is started by root as well.
 */
function accountOf(dataDir: string, checkout: string): number {
  const owner = ownerOf(join(dataDir, 'secrets'));
  if (owner !== null) return owner;
  const expected = ownerOf(dataDir) ?? ownerOf(checkout) ?? 0;
  return expected <= lastSystemAccount ? expected : 0;
}

function ownerOf(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.uid ?? null;
}

/**
 * Makes a folder unless it exists. `mkdir` with `recursive` would report a missing folder on a
 * read-only disk.
 */
function makeFolder(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if (!existsSync(path)) throw error;
  }
}

/**
 * Links an engine's socket into run/. The socket itself stays in the engine's closed folder, so the
 * engines' accounts need no write access to run/, and no other account can replace the socket.
 */
export function nameSocket(dataDir: string, engine: string): { socket: string; name: string } {
  const name = join(dataDir, 'run', `${engine}.sock`);
  rmSync(name, { force: true });
  symlinkSync(join('..', engine, `${engine}.sock`), name);
  return { socket: join(dataDir, engine, `${engine}.sock`), name };
}
