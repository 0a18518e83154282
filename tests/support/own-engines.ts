import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEngines } from '../../ops/engines.ts';
import type { ManagedProcess } from '../../ops/supervisor/managed-process.ts';
import { stopAtEnd } from './end-of-file.ts';
import { until } from './until.ts';

/** One engine, and how to stop it. */
export interface Engine {
  /** Stops it cleanly. It stays stopped. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Kills it with `kill -9`. Its supervisor starts it again. Resolves when it runs again. */
  kill(): Promise<void>;
}

/** A MariaDB and a Redis that only one test file uses. */
export interface OwnEngines {
  databaseUrl: string;
  redisUrl: string;
  mariadb: Engine;
  /** `kill` also removes all that Redis has written. */
  redis: Engine;
}

/** Starts engines that the test may stop and kill. They stop when the test file ends. */
export async function startOwnEngines(): Promise<OwnEngines> {
  const dataDir = await mkdtemp(join(tmpdir(), 'selvage-own-'));
  const { processes, databaseUrl, redisUrl, stop } = await startEngines({ dataDir });
  stopAtEnd(async () => {
    await stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  const [mariadb, redis] = processes;
  if (!mariadb || !redis) throw new Error('both engines should run here');
  const wipe = () => rmSync(join(dataDir, 'redis', 'appendonlydir'), { recursive: true, force: true });
  return { databaseUrl, redisUrl, mariadb: engineOf(mariadb), redis: engineOf(redis, wipe) };
}

function engineOf(managed: ManagedProcess, afterDeath: () => void = () => undefined): Engine {
  return {
    stop: () => managed.stop(),
    start: async () => {
      managed.start();
      await managed.untilReady(60_000);
    },
    kill: async () => {
      const { pid } = managed;
      if (pid === null) throw new Error('the engine does not run');
      process.kill(pid, 'SIGKILL');
      await until('the engine is dead', () => managed.pid !== pid);
      afterDeath();
      await managed.untilReady(60_000);
    },
  };
}
