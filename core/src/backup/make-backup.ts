import { constants, existsSync } from 'node:fs';
import { access, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Sequelize } from 'sequelize';
import { schemaState } from '../database/migrate.ts';
import type { Config } from '../process/config.ts';
import { readIfThere } from '../secrets/published-file.ts';
import { copyBlobs, proveBlobs, recopyBlob } from './copy-blobs.ts';
import { markDirectory, refuseOthersDirectory } from './directory-owner.ts';
import { dumpDatabase } from './dump-database.ts';
import { whileRemovalsHeld } from './keep-hold.ts';
import { noteBackup } from './last-backup.ts';
import {
  digestFile,
  dumpFile,
  keyFile,
  listFile,
  listSnapshots,
  type Manifest,
  manifestFile,
  markFile,
  nameOf,
  settingsFile,
  type Snapshot,
  unfinished,
} from './manifest.ts';
import { describeFailure, OperatorError } from '../operator-error.ts';
import { type Progress, readableBytes } from './progress.ts';
import { neededInDump } from './needed-in-dump.ts';
import { pruneBackups, removeUnfinished } from './prune-backups.ts';
import { refuseHalfRestored } from './restore-marker.ts';
import { formatSettings } from './settings-file.ts';

/** The host to back up, and how. */
export interface BackupJob {
  config: Config;
  db: Sequelize;
  /** Absolute; made if it is missing. */
  directory: string;
  /** The version of this checkout. */
  version: string;
  /** Variables that are set for the host, with their values. */
  settings: Record<string, string>;
  /** Does not read the blobs again that an earlier backup has copied. */
  isQuick?: boolean;
  /**
   * How many snapshots the directory keeps, including the new one. Blobs that none of these needs
   * are removed. All are kept unless given.
   */
  keep?: number | undefined;
  progress: Progress;
  signal: AbortSignal;
}

/** A new backup. */
export interface MadeBackup extends Snapshot {
  /** Why older ones could not be removed; null when none had to be, or all went well. */
  unpruned: string | null;
}

/**
 * Makes a backup of the whole host while it runs: a snapshot of the database first, then the blobs
 * that its rows refer to, then the proof that each of them is there with the right bytes. The
 * snapshot gets its name last, so an interrupted one is never taken for whole. Blobs that an
 * earlier backup in the same directory has are not copied again.
 * @returns the backup. Its manifest names the blobs that the host itself has lost
 * @throws OperatorError or an error of the disk or the database; then there is no new backup
 */
export async function makeBackup(job: BackupJob): Promise<MadeBackup> {
  await refuseOtherSchema(job.db);
  // A restore marks the host first and looks for connections then, such as this one, so one of the
  // two always refuses
  refuseHalfRestored(job.config);
  await prepareDirectory(job);
  const target = { app: { db: job.db } };
  return await whileRemovalsHeld(target, job, async ({ signal, confirm }) => {
    await removeUnfinished(job.directory);
    const takenAt = await freeMoment(job.directory, signal);
    const folder = join(job.directory, `${unfinished}${nameOf(takenAt)}`);
    await mkdir(folder, { mode: 0o700 });
    let snapshot: Snapshot;
    try {
      const manifest = await fill(folder, takenAt, { ...job, signal });
      await confirm();
      snapshot = await publish(folder, manifest, job.directory);
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw signal.aborted ? signal.reason : error;
    }
    await noteBackup(job.config.dataDir, takenAt).catch((error: unknown) =>
      // The backup is whole; only the metrics of the host do not know of it
      job.progress.say(`the host could not note its backup: ${String(error)}`),
    );
    // Within the hold, which keeps another backup from copying blobs that no list names yet
    const unpruned = await prune({ ...job, signal }, snapshot.name);
    await warnOfLaterNames(job, snapshot.name);
    return { ...snapshot, unpruned };
  });
}

/** Removes older backups; says why that failed, since the new one is whole all the same. */
async function prune({ directory, keep, progress, signal }: BackupJob, made: string): Promise<string | null> {
  if (keep === undefined) return null;
  try {
    await pruneBackups({ directory, keep, progress, made, signal });
    return null;
  } catch (error) {
    return describeFailure(error);
  }
}

async function refuseOtherSchema(db: Sequelize): Promise<void> {
  const { unknown, pending } = await schemaState(db);
  if (unknown.length > 0)
    throw new OperatorError('the database was used by a newer version of Selvage; use its ops/backup');
  if (pending.length > 0)
    throw new OperatorError('the database is older than this version; start it once with ./ops/up');
}

/** Only an empty directory, or one of earlier backups of this host, may be filled. */
async function prepareDirectory({ directory, config }: BackupJob): Promise<void> {
  for (const [inner, outer] of [
    [directory, config.dataDir],
    [config.dataDir, directory],
  ] as const) {
    const path = relative(outer, inner);
    if (!path.startsWith('..'))
      throw new OperatorError(`a backup can't be kept in the same place as the host: ${directory}`);
  }
  await makeDirectory(directory);
  await access(directory, constants.W_OK);
  const names = await readdir(directory);
  // A new file system has this folder
  if (names.includes(markFile) || names.every((name) => name === 'lost+found')) {
    refuseOthersDirectory(directory, config.secretKey);
    await markDirectory(directory, config.secretKey);
    return;
  }
  throw new OperatorError(`${directory} holds other files; name an empty directory, or one of earlier backups`);
}

/** Makes the directory, but not its parent: a missing one may be a disk that is not mounted. */
async function makeDirectory(directory: string): Promise<void> {
  try {
    await mkdir(directory, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new OperatorError(`${directory} can't be made: make it, or mount its disk, first`);
    if (code !== 'EEXIST') throw error;
  }
}

/** Now, or the next second: snapshots are named after whole seconds. */
async function freeMoment(directory: string, signal: AbortSignal): Promise<Date> {
  for (;;) {
    const now = new Date();
    if (!existsSync(join(directory, nameOf(now)))) return now;
    await wait(100, undefined, { signal });
  }
}

/**
 * Warns of snapshots with a later name, since a restore takes the last name for the newest unless
 * it is given one.
 */
async function warnOfLaterNames({ directory, progress }: BackupJob, made: string): Promise<void> {
  const later = (await listSnapshots(directory)).filter((name) => name > made);
  if (later.length === 0) return;
  progress.say(
    `the time of ${later.join(', ')} is still to come, and a restore takes the last name for the newest: ` +
      'check the clock, and remove the backups that have a wrong time',
  );
}

async function fill(folder: string, takenAt: Date, job: BackupJob): Promise<Manifest> {
  const { config, directory, progress, signal } = job;
  const { file, ...facts } = await dumpDatabase(config, folder, { progress, signal });
  progress.say(`database written (${readableBytes(file.bytes)})`);
  const list = join(folder, listFile);
  const [from, to] = [config.blobStore.directory, join(directory, 'blobs')];
  await copyBlobs({ from, to, list, progress, signal });
  const mend = (key: string) => recopyBlob({ from, to }, key);
  const isQuick = job.isQuick ?? false;
  const { bad, ...blobs } = await proveBlobs({ directory: to, list, progress, signal, isQuick, mend });
  const lost = await neededInDump(bad, { dump: join(folder, dumpFile), progress, signal });
  progress.say(`${isQuick ? 'found' : 'read and proved'} ${blobs.blobs} blobs (${readableBytes(blobs.bytes)})`);
  const others = await copyFiles(folder, job);
  return {
    format: 1,
    version: job.version,
    takenAt: takenAt.toISOString(),
    hostname: config.hostname,
    ...facts,
    files: [file, { path: listFile, ...(await digestFile(list)) }, ...others],
    blobs: { count: blobs.blobs, bytes: blobs.bytes },
    absent: bad,
    lost,
  };
}

/** The secrets and settings without which the rows are of no use. */
async function copyFiles(folder: string, { config, settings }: BackupJob): Promise<Manifest['files']> {
  const texts: Record<string, string | null> = {
    [keyFile]: `${config.secretKey.toString('hex')}\n`,
    'files/tls/key.pem': readIfThere(join(config.dataDir, 'tls/key.pem')),
    'files/tls/cert.pem': readIfThere(join(config.dataDir, 'tls/cert.pem')),
    [settingsFile]: formatSettings(settings),
  };
  const written: Manifest['files'] = [];
  for (const [path, text] of Object.entries(texts)) {
    if (text === null) continue;
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await writeFile(target, text, { mode: 0o600, flush: true });
    written.push({ path, ...(await digestFile(target)) });
  }
  return written;
}

async function publish(folder: string, manifest: Manifest, directory: string): Promise<Snapshot> {
  const name = nameOf(new Date(manifest.takenAt));
  const path = join(directory, name);
  await writeFile(join(folder, manifestFile), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true });
  for (const one of [join(folder, 'files/secrets'), join(folder, 'files'), folder]) await syncPath(one);
  await syncPath(join(folder, listFile));
  await rename(folder, path);
  await syncPath(directory);
  return { name, path, manifest };
}

/** Waits until a file, or the names in a folder, are on the disk. */
async function syncPath(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
