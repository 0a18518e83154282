import { execFile } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { OperatorError } from '@selvage/core/operator-error';
import { ensureSecretFile } from '@selvage/core/secrets/secret-files';
import type { ProcessSpec } from '../supervisor/managed-process.ts';
import { socketReady } from '../supervisor/readiness.ts';
import { nameSocket } from './data-dir.ts';
import type { EnginePlace } from './end-left-behind.ts';
import { engineIdentity, findProgram, type Identity } from './identity.ts';

const programs = ['mariadbd', 'mysqld'];
const stopMs = 60_000;

const settings = [
  '--skip-networking',
  '--skip-name-resolve',
  '--skip-log-bin',
  '--character-set-server=utf8mb4',
  '--collation-server=utf8mb4_unicode_ci',
  // A commit is on the disk before the server answers it, on which D16 relies
  '--innodb-flush-log-at-trx-commit=1',
  '--innodb-ft-min-token-size=2',
  // A commit writes little, and the default buffer of 16 MB would be allocated twice
  '--innodb-log-buffer-size=4M',
  '--key-buffer-size=1M',
  '--aria-pagecache-buffer-size=8M',
  '--performance-schema=OFF',
  // Ten for each of Selvage's processes, of which a host may have many
  '--max-connections=400',
  '--max-allowed-packet=64M',
];

/**
 * The least buffer with which the database works well, and the most that a mail host makes use of.
 */
const leastPoolMb = 128;
const mostPoolMb = 8192;

/**
 * The size of the private database's buffer for tables and indexes, in megabytes: an eighth of the
 * memory of the machine, or of the container, unless DATABASE_BUFFER_MB says otherwise. The rest is
 * for Selvage's processes and for the kernel's cache of message files.
 */
export function bufferPoolMegabytes(
  given = process.env['DATABASE_BUFFER_MB'],
  memoryBytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY),
): number {
  if (given) {
    if (!/^\d{1,7}$/.test(given) || Number(given) < 16) {
      throw new Error(`DATABASE_BUFFER_MB is a number of megabytes, 16 at least, and not ${given}`);
    }
    return Number(given);
  }
  const eighth = Math.floor(memoryBytes / 8 / 2 ** 20);
  return Math.max(leastPoolMb, Math.min(eighth, mostPoolMb));
}

/**
 * Makes the files of the private database if they are missing, and returns how its server is
 * started.
 */
export async function prepareMariadb(
  dataDir: string,
): Promise<{ spec: ProcessSpec; place: EnginePlace; identity: Identity; databaseUrl: string }> {
  const server = findProgram(programs);
  if (!server) throw new Error('MariaDB is missing: install mariadb-server, or set DATABASE_URL');
  const identity = engineIdentity(['mysql'], dataDir);
  const home = join(dataDir, 'mariadb');
  const { socket, name } = nameSocket(dataDir, 'mariadb');
  mkdirSync(home, { recursive: true });
  chownSync(home, identity.uid, identity.gid);
  chmodSync(home, 0o700);
  await createFiles(home, identity, dataDir);
  const password = ensureSecretFile(join(dataDir, 'secrets'), 'database-password', 24);
  const initFile = writeInitFile(home, identity, password);
  const [command = server, ...prefix] = [...identity.prefix, server];
  const places = [`--datadir=${home}/data`, `--socket=${socket}`, `--pid-file=${home}/mariadb.pid`, `--tmpdir=${home}`];
  const poolMegabytes = bufferPoolMegabytes();
  const args = [
    ...prefix,
    '--no-defaults',
    `--user=${identity.user}`,
    ...places,
    `--init-file=${initFile}`,
    ...settings,
    `--innodb-buffer-pool-size=${poolMegabytes}M`,
    // The larger the log is, the longer a start after a crash takes
    `--innodb-log-file-size=${Math.max(64, Math.min(Math.floor(poolMegabytes / 8), 256))}M`,
  ];
  // The server speaks first. Byte 4 is 10, the version of its protocol, or 255 in an error packet
  const ready = socketReady(socket, (bytes) => bytes[4] === 10);
  const databaseUrl = `mysql://selvage:${password}@localhost/selvage?socket=${encodeURIComponent(name)}`;
  return {
    spec: {
      name: 'mariadb',
      command,
      args,
      env: process.env,
      cwd: dataDir,
      ready,
      // No limit: a server that is killed during its recovery begins the recovery anew, and would
      // never end it
      startMs: Number.POSITIVE_INFINITY,
      startNote: 'after a crash it recovers what it was writing',
      stopMs,
      detail: `${poolMegabytes} MB for tables and indexes`,
    },
    place: { name: 'mariadb', programs, marks: [`--datadir=${home}/data`], stopMs },
    identity,
    databaseUrl,
  };
}

/**
 * Builds the files in another folder and renames it, so that an interrupted first start is not
 * taken for a database.
 */
async function createFiles(home: string, identity: Identity, cwd: string): Promise<void> {
  if (existsSync(join(home, 'data'))) return;
  // The installer does not quote its paths
  if (/\s/.test(cwd)) {
    const problem = `MariaDB can't make a database below a path with a space: ${cwd}`;
    throw new OperatorError(`${problem}; choose another SELVAGE_DATA`);
  }
  const installer = findProgram(['mariadb-install-db', 'mysql_install_db']);
  if (!installer) throw new Error('mariadb-install-db is missing: install mariadb-server');
  const fresh = join(home, 'data.new');
  rmSync(fresh, { recursive: true, force: true });
  const [command = installer, ...prefix] = [...identity.prefix, installer];
  const args = [...prefix, '--no-defaults', `--user=${identity.user}`, `--datadir=${fresh}`, `--tmpdir=${home}`];
  await promisify(execFile)(command, [...args, '--skip-test-db'], { cwd });
  renameSync(fresh, join(home, 'data'));
}

/**
 * Writes the statements that the server runs before it accepts connections, so that no
 * administrator has to log in over the socket.
 */
function writeInitFile(home: string, identity: Identity, password: string): string {
  const path = join(home, 'init.sql');
  const statements = [
    'CREATE DATABASE IF NOT EXISTS `selvage`',
    `CREATE USER IF NOT EXISTS 'selvage'@'localhost' IDENTIFIED BY '${password}'`,
    `ALTER USER 'selvage'@'localhost' IDENTIFIED BY '${password}'`,
    "GRANT ALL ON `selvage`.* TO 'selvage'@'localhost'",
    "GRANT ALL ON `selvage\\_%`.* TO 'selvage'@'localhost'",
  ];
  writeFileSync(path, statements.map((statement) => `${statement};\n`).join(''), { mode: 0o600 });
  chownSync(path, identity.uid, identity.gid);
  return path;
}
