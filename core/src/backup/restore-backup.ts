import { hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import type { Sequelize } from 'sequelize';
import { compareSteps, migrate, withMigrationLock } from '../database/migrate.ts';
import { withNamedLock } from '../database/named-lock.ts';
import { readRows } from '../database/run-sql.ts';
import { writeStoreName } from '../environment/host-state.ts';
import { nameDirectory } from '../mailstore/directory-name.ts';
import { hasBlobs, openBlobsForReading } from '../mailstore/blob-store.ts';
import type { Config } from '../process/config.ts';
import { checkBackup, type Damage } from './check-backup.ts';
import { copyBlobs } from './copy-blobs.ts';
import { startLoad } from './database-tools.ts';
import { damageOf, dumpFile, keyFile, listFile, openSnapshot, type Snapshot } from './manifest.ts';
import { OperatorError } from '../operator-error.ts';
import { removeAllIndexes } from '../search-index/index-path.ts';
import type { Progress } from './progress.ts';
import { countRows, type HostProof, proveRows } from './prove-rows.ts';
import { isHalfRestored, markRestoring, unmarkRestoring } from './restore-marker.ts';
import { settleRestored } from './settle-restored.ts';

/** The backup, the host that it is restored into, and how. */
export interface RestoreJob {
  config: Config;
  /** Connected for schema steps. No other process of the host may be connected. */
  db: Sequelize;
  directory: string;
  /** Name of the snapshot; the newest unless given. */
  snapshot?: string | undefined;
  /** Restores over a host that has data. Its database is dropped. */
  replaces: boolean;
  /** Restores what is left of a backup that is damaged. */
  acceptsLosses: boolean;
  /** Sends the outgoing mail of the snapshot when the host starts. */
  sendsOutgoing: boolean;
  /** The secret key is given to the processes and not taken from the data directory. */
  hasGivenKey: boolean;
  progress: Progress;
  signal: AbortSignal;
}

/** The result of a restore. */
export interface Restored extends HostProof {
  snapshot: Snapshot;
  /** What is damaged in the backup. When the damage is not accepted, nothing was restored. */
  damage: Damage;
  /** Whether what is left of the backup makes a host. */
  isUsable: boolean;
  isRestored: boolean;
  companies: number;
  users: number;
  messages: number;
  /** Deliveries that wait until the operator releases them. */
  heldBack: number;
}

/** Half a database is no host, and without its key the secrets of its rows can't be opened. */
const vitalFiles = ({ hasGivenKey }: RestoreJob) => [dumpFile, listFile, ...(hasGivenKey ? [] : [keyFile])];

/**
 * Makes a host out of a backup. Everything is checked before anything is changed. A restore that
 * was interrupted leaves a mark that keeps the host from starting, and can be run again. While it
 * only adds blobs to an old host, there is no mark.
 * @throws OperatorError when the backup or the host is not fit for it
 */
export async function restoreBackup(job: RestoreJob): Promise<Restored> {
  // A lock of the database: two containers that share it and a volume don't see each other's
  // sockets
  const lock = { name: restoreLockOf(job.db), patienceSeconds: 0, refusal: restoredElsewhere };
  try {
    return await withNamedLock(job.db, lock, () => restoreAlone(job));
  } catch (error) {
    throw job.signal.aborted ? job.signal.reason : error;
  }
}

/** Named after the database, since several databases may share one server. */
function restoreLockOf(db: Sequelize): string {
  return `selvage-restoring-${db.getDatabaseName().slice(0, 40)}`;
}

function restoredElsewhere(): OperatorError {
  return new OperatorError('another command is restoring this host; wait until that one has ended');
}

async function restoreAlone(job: RestoreJob): Promise<Restored> {
  const { config, db, directory, progress, signal } = job;
  const snapshot = await openSnapshot(directory, job.snapshot);
  await refuseNewer(snapshot);
  await refuseUsedHost(job, isHalfRestored(config));
  await refuseOtherKey(job, snapshot);
  progress.say(`checking the backup ${snapshot.name} of ${snapshot.manifest.hostname}`);
  const damage = await checkBackup(directory, snapshot, job);
  const nothing = { companies: 0, users: 0, messages: 0, blobs: 0, bytes: 0, heldBack: 0, missing: [] };
  const isUsable = !vitalFiles(job).some((name) => damage.files.has(name));
  if (damage.lines.length > 0 && !(isUsable && job.acceptsLosses))
    return { snapshot, damage, isUsable, isRestored: false, ...nothing };

  await restoreBlobs(job, snapshot);
  await restoreFiles(job, snapshot, damage);
  await loadDatabase(job, snapshot);
  // People who came after the snapshot have left indexes, and the next new people get their ids
  removeAllIndexes(config.searchDirectory);
  signal.throwIfAborted();
  const target = { app: { db } };
  const rows = await countRows(target);
  refuseOtherCounts(rows, snapshot);
  const steps = await withMigrationLock(db, () => migrate(db));
  if (steps > 0) progress.say(`brought the database up to this version (${steps} steps)`);
  signal.throwIfAborted();
  const heldBack = await settleRestored(target, job);
  // On a disk that takes no name, a later start tries to give it one
  await writeStoreName(target, await nameDirectory(config.blobStore.directory).catch(() => null));
  const proof = await proveRows(target, config.blobStore.directory, job);
  await unmarkRestoring(config);
  return { snapshot, damage, isUsable, isRestored: true, ...rows, ...proof, heldBack };
}

async function refuseNewer({ manifest, path }: Snapshot): Promise<void> {
  const { unknown } = await compareSteps(manifest.schema);
  if (unknown.length === 0) return;
  throw new OperatorError(
    `${path} was made by a newer version of Selvage; restore it with that version (unknown: ${unknown.join(', ')})`,
  );
}

/**
 * Marks the host, which then does not start. The check of the backup takes hours, and so does the
 * copy of the blobs, so this also refuses a host that was started meanwhile.
 */
async function markUnlessUsed(job: RestoreJob, { name }: Snapshot): Promise<void> {
  const isHalf = isHalfRestored(job.config);
  await markRestoring(job.config, name);
  try {
    await refuseUsedHost(job, isHalf);
  } catch (error) {
    if (!isHalf) await unmarkRestoring(job.config);
    throw error;
  }
}

/** @param isHalf a restore into the host was interrupted, so what it has may be dropped */
async function refuseUsedHost({ config, db, replaces }: RestoreJob, isHalf: boolean): Promise<void> {
  await refuseRunning(db);
  if (replaces || isHalf) return;
  const hasData = (await tablesOf(db)).length > 0 || (await hasBlobs(openBlobsForReading(config.blobStore.directory)));
  if (hasData) throw new OperatorError('this host has data already; --replace drops it and restores the backup');
}

/**
 * Refuses a host that is running. It asks several times, since a connection that was just closed is
 * listed for a moment.
 */
async function refuseRunning(db: Sequelize): Promise<void> {
  const statement = `SELECT id FROM information_schema.processlist
    WHERE db = DATABASE() AND id NOT IN (CONNECTION_ID(), COALESCE(IS_USED_LOCK(?), 0))`;
  for (let asked = 0; (await readRows({ app: { db } }, statement, [restoreLockOf(db)])).length > 0; asked += 1) {
    if (asked === 10) throw new OperatorError('the host is running: other processes use its database; stop it first');
    await wait(200);
  }
}

async function tablesOf(db: Sequelize): Promise<string[]> {
  const rows = await readRows<{ name: string }>(
    { app: { db } },
    'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()',
    [],
  );
  return rows.map(({ name }) => name);
}

/** Refuses another secret key, under which the secrets of the rows could not be opened. */
async function refuseOtherKey({ config, hasGivenKey }: RestoreJob, snapshot: Snapshot): Promise<void> {
  if (!hasGivenKey) return;
  const { path, manifest } = snapshot;
  const given = config.secretKey.toString('hex');
  // Where the file is damaged, its checksum still tells the key
  const isDamaged = (await damageOf(snapshot, keyFile)) !== null;
  const isSame = isDamaged
    ? manifest.files.find((file) => file.path === keyFile)?.sha256 === hash('sha256', `${given}\n`)
    : (await readFile(join(path, keyFile), 'utf8')).trim().toLowerCase() === given;
  if (!isSame) throw new OperatorError(`SELVAGE_SECRET_KEY is not the key of this backup, see ${join(path, keyFile)}`);
}

/**
 * Copies the blobs, which may take hours and fill the disk, and marks the host. The copy only adds
 * to an old host, so that one is marked afterwards. If the copy is cut short, the old host may
 * start again, its sweep removes what was added, and the next restore asks for `--replace` again.
 */
async function restoreBlobs(job: RestoreJob, snapshot: Snapshot): Promise<void> {
  const { config, db, directory, progress, signal } = job;
  const [from, to, list] = [join(directory, 'blobs'), config.blobStore.directory, join(snapshot.path, listFile)];
  const copy = (isStrict: boolean) => copyBlobs({ from, to, list, progress, signal, isStrict });
  const hasOldHost = !isHalfRestored(config) && (await tablesOf(db)).length > 0;
  if (!hasOldHost) {
    await markUnlessUsed(job, snapshot);
    return await copy(true);
  }
  await refuseUsedHost(job, false);
  try {
    await copy(true);
    await markUnlessUsed(job, snapshot);
    // The old host may have run for a while until now, and have removed some of them
    await copy(false);
  } catch (error) {
    await unmarkRestoring(config);
    progress.say('nothing was restored: the host that was to be replaced is as it was and can start');
    throw error;
  }
}

/**
 * Restores the secrets and the certificate to the places where the processes look for them. A
 * certificate is of no use without its key. In the place of a damaged secret key comes the one that
 * was given.
 */
async function restoreFiles(
  { config, progress }: RestoreJob,
  { path, manifest }: Snapshot,
  damage: Damage,
): Promise<void> {
  const { dataDir } = config;
  const certificate = ['tls/cert.pem', 'tls/key.pem'];
  const isLinked = (await Promise.all(certificate.map((place) => isLink(join(dataDir, place))))).includes(true);
  const isDamaged = certificate.some((place) => damage.files.has(`files/${place}`));
  if (isLinked) progress.say('the certificate was left as it is, since its files are links');
  else if (isDamaged)
    progress.say(
      'the certificate of the backup is damaged and was left out: a host without one makes its own at the start',
    );
  for (const { path: name } of manifest.files) {
    const place = /^files\/((?:secrets|tls)\/[\w.-]+)$/.exec(name)?.[1];
    const isGiven = name === keyFile && damage.files.has(name);
    if (place === undefined || (damage.files.has(name) && !isGiven)) continue;
    if ((isLinked || isDamaged) && certificate.includes(place)) continue;
    const target = join(dataDir, place);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    const content = isGiven ? `${config.secretKey.toString('hex')}\n` : await readFile(join(path, name));
    await writeFile(`${target}.restored`, content, { mode: 0o600, flush: true });
    await rename(`${target}.restored`, target);
  }
}

/** Whether the operator has put a link there, such as to the files that certbot renews. */
async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

async function loadDatabase({ config, db, progress, signal }: RestoreJob, { path }: Snapshot): Promise<void> {
  const tables = (await tablesOf(db)).map((name) => `\`${name}\``).join(', ');
  const emptying = tables === '' ? '' : `SET FOREIGN_KEY_CHECKS = 0;\nDROP TABLE ${tables};\n`;
  const tool = startLoad(config);
  tool.child.stdout.resume();
  let read = 0;
  async function* afterEmptying(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    yield Buffer.from(emptying);
    for await (const chunk of source) {
      progress.at('bytes loaded', (read += chunk.length));
      yield chunk;
    }
  }
  try {
    const source = createReadStream(join(path, dumpFile));
    await pipeline(source, createGunzip(), afterEmptying, tool.child.stdin, { signal });
  } catch (error) {
    if (signal.aborted) tool.child.kill();
    // When the program has failed, its own words say why
    await tool.done;
    throw error;
  }
  await tool.done;
  progress.say('database loaded');
}

function refuseOtherCounts(rows: Awaited<ReturnType<typeof countRows>>, { manifest, path }: Snapshot): void {
  for (const name of ['companies', 'users', 'messages'] as const) {
    if (rows[name] === manifest.rows[name]) continue;
    throw new OperatorError(`the database has ${rows[name]} ${name} and ${path} says ${manifest.rows[name]}`);
  }
}
