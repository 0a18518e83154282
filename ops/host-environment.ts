import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from '@selvage/core/context/app';
import { connectDatabase, waitForDatabase } from '@selvage/core/database/connect-database';
import { OperatorError } from '@selvage/core/operator-error';
import { type Config, loadConfig } from '@selvage/core/process/config';
import { withDeadline } from '@selvage/core/with-deadline';
import { refuseHalfRestored } from '@selvage/core/backup/restore-marker';
import { settingsIn } from '@selvage/core/backup/settings-file';
import { makeDataDir, refuseHostOfOther } from './engines/data-dir.ts';
import { startEngines } from './engines.ts';
import { printError } from './print.ts';
import { claimDataDir } from './supervisor/claim.ts';
import { dataDirOf, readSettings } from './supervisor/settings.ts';
import { startedSettings } from './supervisor/started-settings.ts';
import { readRunningStack } from './supervisor/state-file.ts';

/**
 * The environment of the host in SELVAGE_DATA: the settings with which the running host was
 * started, overridden by those of this command. So a timer that sets only SELVAGE_DATA finds the
 * right database.
 */
export function hostEnvironment(own: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const dataDir = dataDirOf(own);
  const running = readRunningStack(dataDir);
  const started = running ? startedSettings(running.pid) : {};
  return { ...own, ...started, ...settingsIn(own), SELVAGE_DATA: dataDir };
}

/** What a piece of work on the database needs of the host. */
export interface DatabaseNeed {
  /** Whether the work needs an existing host, or makes a new one. */
  needsHost: boolean;
  /** Whether the work writes files of the host, which its account must be able to read. */
  writesFiles?: boolean;
}

/**
 * Runs work while the host's database is up. If the private database does not run, it is started
 * for the time of the work. `./ops/up` waits meanwhile. It also waits for work that makes a host in
 * an external database.
 * @throws OperatorError when the work needs a host, and none is there or it is half restored, or
 *   when root would write the files of a host that belongs to another account
 */
export async function withDatabase<T>(
  env: NodeJS.ProcessEnv,
  { needsHost, writesFiles = !needsHost }: DatabaseNeed,
  work: () => Promise<T>,
): Promise<T> {
  const { dataDir, databaseUrl } = readSettings(env);
  if (writesFiles) refuseHostOfOther(dataDir);
  if (needsHost) {
    refuseHalfRestored({ dataDir });
    refuseNoHost(dataDir, env);
  }
  if (needsHost && (databaseUrl || readRunningStack(dataDir))) return await work();
  makeDataDir(dataDir);
  if (!(await claimDataDir(dataDir)))
    throw new OperatorError(
      `the host in ${dataDir} is starting or stopping, or another command works on it; try again`,
    );
  if (databaseUrl) return await work();
  // The work does not use Redis, so none is started
  const engines = await startEngines({ dataDir, redisUrl: 'none', say: (line) => printError(`selvage: ${line}`) });
  try {
    return await work();
  } finally {
    await engines.stop();
  }
}

/** The database of a host, with its configuration. */
export interface HostDatabase {
  config: Config;
  db: App['db'];
}

const databaseWaitMs = 10_000;
const closeLimitMs = 10_000;
/**
 * A restore needs connections for its work, one for its lock and one for the lock of the upgrade.
 */
const leastConnections = 4;

/** Does work on the database of the host with this environment; see `withDatabase`. */
export async function onDatabase<T>(
  env: NodeJS.ProcessEnv,
  need: DatabaseNeed,
  work: (host: HostDatabase) => Promise<T>,
): Promise<T> {
  return await withDatabase(env, need, async () => {
    const config = loadConfig(env);
    const databasePool = Math.max(config.databasePool, leastConnections);
    const db = connectDatabase({ ...config, databasePool }, { forSchema: true });
    try {
      await waitForDatabase(db, { limitMs: databaseWaitMs });
      return await work({ config, db });
    } finally {
      // Its connections may wait for a database that has fallen silent
      await withDeadline(db.close(), closeLimitMs).catch(() => undefined);
    }
  });
}

/** Without this a mistyped SELVAGE_DATA would become a new host, with a secret key of its own. */
function refuseNoHost(dataDir: string, env: NodeJS.ProcessEnv): void {
  const hasKey = env['SELVAGE_SECRET_KEY'] || env['SELVAGE_SECRET_KEY_FILE'];
  const hasDatabase = env['DATABASE_URL'] || env['DATABASE_URL_FILE'] || existsSync(join(dataDir, 'mariadb/data'));
  if (hasDatabase && (hasKey || existsSync(join(dataDir, 'secrets/secret-key')))) return;
  throw new OperatorError(`there is no host in ${dataDir}: set SELVAGE_DATA`);
}
