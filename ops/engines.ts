import { join, resolve } from 'node:path';
import { messageOf } from '@selvage/core/errors';
import { makeDataDir } from './engines/data-dir.ts';
import { endLeftBehind } from './engines/end-left-behind.ts';
import { prepareMariadb } from './engines/mariadb.ts';
import { prepareRedis } from './engines/redis.ts';
import { openLogFile } from './supervisor/log-file.ts';
import { ManagedProcess, type ProcessSpec } from './supervisor/managed-process.ts';

export interface Engines {
  databaseUrl: string;
  redisUrl: string;
  /** The engines that run here; empty when the operator provides both. */
  processes: ManagedProcess[];
  /** Names of those that run as root, since no account of their own can enter the directory. */
  asRoot: string[];
  stop(): Promise<void>;
}

export interface EngineOptions {
  dataDir: string;
  /** Engines that the operator provides. They are not started here. */
  databaseUrl?: string | undefined;
  redisUrl?: string | undefined;
  say?(line: string): void;
  changed?(): void;
}

/**
 * Starts the private MariaDB and Redis under a data directory and waits until both answer. There is
 * no time limit for the database, since it may have to recover from a crash. Mail goes on without
 * Redis, so a Redis that does not start, such as one that can't load its file, is tried again and
 * again in the background.
 */
export async function startEngines(options: EngineOptions): Promise<Engines> {
  const dataDir = resolve(options.dataDir);
  makeDataDir(dataDir);
  const say = options.say ?? (() => undefined);
  const changed = options.changed ?? (() => undefined);
  const launch = (spec: ProcessSpec) => {
    const log = openLogFile(join(dataDir, 'log', `${spec.name}.log`));
    const engine = new ManagedProcess(spec, { log, say, changed });
    engine.start();
    return engine;
  };

  const mariadb = options.databaseUrl ? null : await prepareMariadb(dataDir);
  const redis = options.redisUrl ? null : prepareRedis(dataDir);
  const prepared = [mariadb, redis].filter((engine) => engine !== null);
  await Promise.all(prepared.map(({ place }) => endLeftBehind(place, say)));
  const processes = prepared.map(({ spec }) => launch(spec));
  const asRoot = prepared.filter(({ identity }) => identity.uid === 0).map(({ spec }) => spec.name);
  const stop = async () => void (await Promise.all(processes.map((engine) => engine.stop())));
  try {
    await Promise.all(
      processes.map((engine) => (engine.spec === redis?.spec ? tryRedis(engine, say) : engine.untilUp())),
    );
  } catch (error) {
    await stop();
    throw error;
  }
  const databaseUrl = options.databaseUrl ?? mariadb?.databaseUrl ?? '';
  return { databaseUrl, redisUrl: options.redisUrl ?? redis?.redisUrl ?? '', processes, asRoot, stop };
}

async function tryRedis(redis: ManagedProcess, say: (line: string) => void): Promise<void> {
  try {
    await redis.untilUp();
  } catch (error) {
    say(`!! ${messageOf(error)}: mail goes on without it, but people can’t log in (./ops/logs redis)`);
  }
}
