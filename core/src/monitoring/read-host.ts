import { realpath, stat } from 'node:fs/promises';
import { lastBackup } from '../backup/last-backup.ts';
import type { App } from '../context/app.ts';
import { readRows } from '../database/run-sql.ts';
import { findUntriedDomains } from '../ledger/untried-domains.ts';
import { readDisk } from '../read-disk.ts';

/*
 * The readings of one look at the host. Queues grow with the mail of the host, so they are read
 * from an index, up to a limit. Domains are few, so all are counted. The size of the database comes
 * from the statistics that it keeps about its tables.
 */

/** The most rows that are counted. A longer queue is reported as this long. */
export const mostCounted = 100_000;
/**
 * How many queued deliveries with the smallest ids are compared to find the oldest. The smallest id
 * alone may be that of a scheduled one, which is younger than its row.
 */
const mostCompared = 100;
/** How many domains with an error are named at most. The others are only counted. */
const mostNamed = 50;

/** Outgoing deliveries that wait. */
export interface WaitingDeliveries {
  queued: number;
  held: number;
  /** For how long the oldest queued one has been under way; 0 when none is. */
  oldestSeconds: number;
  /**
   * How long the one that is due longest has been due, of the domains that no worker has tried
   * lately; 0 when none is.
   */
  overdueSeconds: number;
}

/** How lately a worker must have tried a domain for its deliveries not to count as overdue. */
const untriedMs = 600_000;

/** Reads the queue of outgoing mail. */
export async function readDeliveries(app: App): Promise<WaitingDeliveries> {
  const from = 'FROM deliveries FORCE INDEX (deliveries_due)';
  const count = (state: string): string =>
    `(SELECT COUNT(*) FROM (SELECT 1 ${from} WHERE direction = 'out' AND state = '${state}' LIMIT ${mostCounted}) AS some)`;
  const ids = `SELECT id ${from} WHERE direction = 'out' AND state = 'queued' LIMIT ${mostCounted}`;
  const [row] = await readRows<{ queued: number; held: number; oldestAt: Date | null }>(
    { app },
    `SELECT ${count('queued')} AS queued, ${count('held')} AS held,
      (SELECT MIN(COALESCE(d.released_at, d.created_at))
         FROM (SELECT id FROM (${ids}) AS some ORDER BY id LIMIT ${mostCompared}) AS first
         JOIN deliveries d ON d.id = first.id) AS oldestAt`,
    [],
  );
  const now = new Date();
  const triedSince = new Date(now.getTime() - untriedMs);
  const untried = await findUntriedDomains({ app }, { now, dueBefore: now, triedSince });
  return {
    queued: Number(row?.queued ?? 0),
    held: Number(row?.held ?? 0),
    oldestSeconds: secondsSince(row?.oldestAt),
    overdueSeconds: Math.max(0, ...untried.map(({ dueAt }) => secondsSince(dueAt))),
  };
}

/** Reads how many committed jobs are not in their queue yet, and how long the first is due. */
export async function readOutbox(app: App): Promise<{ waiting: number; overdueSeconds: number }> {
  const due = 'FROM outbox FORCE INDEX (outbox_due) WHERE relayed_at IS NULL AND available_at <= ?';
  const [row] = await readRows<{ waiting: number; dueAt: Date | null }>(
    { app },
    `SELECT (SELECT COUNT(*) FROM (SELECT 1 ${due} LIMIT ${mostCounted}) AS some) AS waiting,
      (SELECT available_at ${due} ORDER BY available_at LIMIT 1) AS dueAt`,
    [new Date(), new Date()],
  );
  return { waiting: Number(row?.waiting ?? 0), overdueSeconds: secondsSince(row?.dueAt) };
}

/** Reads the bytes that the tables of the host take, as the database estimates them. */
export async function readDatabaseSize(app: App): Promise<number> {
  const [row] = await readRows<{ bytes: string | null }>(
    { app },
    'SELECT SUM(data_length + index_length) AS bytes FROM information_schema.tables WHERE table_schema = DATABASE()',
    [],
  );
  return Number(row?.bytes ?? 0);
}

/** Reads how many domains are at each level, and the names of the first ones with an error. */
export async function readDomains(app: App): Promise<{ counts: Map<number, number>; failing: string[] }> {
  const inUse = 'deleted_at IS NULL AND verified_at IS NOT NULL';
  const counts = await readRows<{ health: number; domains: number }>(
    { app },
    `SELECT health, COUNT(*) AS domains FROM domains WHERE ${inUse} GROUP BY health`,
    [],
  );
  const failing = await readRows<{ name: string }>(
    { app },
    `SELECT domain_name AS name FROM domains WHERE health = 3 AND ${inUse} ORDER BY id LIMIT ${mostNamed}`,
    [],
  );
  return {
    counts: new Map(counts.map(({ health, domains }) => [health, Number(domains)])),
    failing: failing.map(({ name }) => name),
  };
}

/** A file system that a part of the host writes to. */
export interface Disk {
  name: 'data' | 'blobs' | 'search' | 'archives' | 'database';
  freeBytes: number;
  sizeBytes: number;
}

/**
 * Reads the free space of the disks. The archives count when they have a file system of their own,
 * and the database when it runs on this machine.
 */
export async function readDisks(app: App): Promise<Disk[]> {
  const { dataDir, blobStore, searchDirectory, archives } = app.config;
  const places = { data: dataDir, blobs: blobStore.directory, search: searchDirectory };
  const disks = await Promise.all(
    Object.entries(places).map(async ([name, path]) => await readIfThere(name as Disk['name'], path)),
  );
  if (await isElsewhere(archives.directory, dataDir)) disks.push(await readIfThere('archives', archives.directory));
  // The other disks are reported even while the database is away
  const directory = await databaseDirectory(app).catch(() => null);
  if (directory !== null) disks.push(await readIfThere('database', directory));
  return disks.filter((disk) => disk !== null);
}

/** Whether a directory is there, on another file system than the other one. */
async function isElsewhere(directory: string, other: string): Promise<boolean> {
  const [one, two] = await Promise.all([directory, other].map((path) => stat(path).catch(() => null)));
  return !!one && !!two && one.dev !== two.dev;
}

/** Null when the directory is not there: the search index of a new host has none yet. */
async function readIfThere(name: Disk['name'], path: string): Promise<Disk | null> {
  try {
    return { name, ...(await readDisk(path)) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Where the database keeps its files; null when that is on another machine. */
async function databaseDirectory(app: App): Promise<string | null> {
  const url = new URL(app.config.databaseUrl);
  const isHere = url.searchParams.has('socket') || ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (!isHere) return null;
  const [row] = await readRows<{ directory: string }>({ app }, 'SELECT @@datadir AS directory', []);
  // A database in a container has a path that is not there on this machine
  return await realpath(row?.directory ?? '').catch(() => null);
}

/** When the last backup of the host was taken; null when it knows of none. */
export function readLastBackup(app: App): Date | null {
  return lastBackup(app.config.dataDir);
}

/** Asks the database and Redis; true for each that answers. */
export async function readEngines(app: App): Promise<{ database: boolean; redis: boolean }> {
  const answers = async (work: Promise<unknown>): Promise<boolean> =>
    await work.then(
      () => true,
      () => false,
    );
  const [database, redis] = await Promise.all([
    answers(readRows({ app }, 'SELECT 1 AS one', [])),
    answers(app.redis.ping()),
  ]);
  return { database, redis };
}

function secondsSince(moment: Date | null | undefined): number {
  return moment ? Math.max(0, (Date.now() - moment.getTime()) / 1000) : 0;
}
