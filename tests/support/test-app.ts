import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App } from '@selvage/core/context/app';
import { startApp, stopApp } from '@selvage/core/startup/start-app';
import { loadConfig } from '@selvage/core/process/config';
import { systemContext } from '@selvage/core/context/context';
import { migrate } from '@selvage/core/database/migrate';
import { createRedis } from '@selvage/core/process/create-redis';
import { seedFirstStart } from '@selvage/core/startup/seed';
import { inject } from 'vitest';
import { type Lifetime, ofFile, ofWorker } from './end-of-file.ts';
import { createTestDatabase, makeTables } from './test-database.ts';

let shared: Promise<App> | undefined;
let hosts = 0;
/** Redis databases of hosts that test files share. */
const kept = new Set<number>();

/**
 * The environment of a new host: a new data directory, a new database, and the number of an emptied
 * Redis database.
 */
export async function testEnvironment(
  overrides: NodeJS.ProcessEnv = {},
  lifetime = ofFile,
): Promise<NodeJS.ProcessEnv> {
  const dataDir = await mkdtemp(join(tmpdir(), 'selvage-test-'));
  const database = await createTestDatabase(inject('databaseUrl'), { isShared: lifetime === ofWorker });
  const redis = new URL(inject('redisUrl'));
  setRedisNumber(redis, lifetime);
  await emptyRedis(redis.toString());
  lifetime.stopAtEnd(async () => {
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });
  return {
    SELVAGE_DATA: dataDir,
    SELVAGE_HOSTNAME: 'host.test',
    SELVAGE_ADMIN_EMAIL: 'admin@host.test',
    SELVAGE_ADMIN_PASSWORD: 'correct horse battery',
    DATABASE_URL: database.url,
    REDIS_URL: redis.toString(),
    LOG_LEVEL: 'error',
    DNS_SERVERS: '127.0.0.1:9',
    // The test's remote mail servers are on loopback
    OUTBOUND_ALLOW_PRIVATE: 'true',
    ...overrides,
  };
}

/**
 * Gives test files that run at the same time different Redis databases, so that no worker takes
 * another host's jobs.
 */
function setRedisNumber(redis: URL, lifetime: Lifetime): void {
  const first = Number(process.env['VITEST_POOL_ID'] ?? 1) * 4;
  const free = [0, 1, 2, 3].map((index) => (first + index) % 16).filter((number) => !kept.has(number));
  const number = free[hosts++ % free.length] ?? first % 16;
  if (lifetime === ofWorker) kept.add(number);
  if (redis.protocol === 'unix:') redis.searchParams.set('db', String(number));
  else redis.pathname = `/${number}`;
}

/**
 * Empties the Redis database, since an earlier test file may have used it, and account ids begin at
 * 1 in every database.
 */
async function emptyRedis(redisUrl: string): Promise<void> {
  const redis = createRedis({ redisUrl }, { role: 'worker' });
  await redis.flushdb();
  await redis.quit();
}

/** Starts the App of a new host, with its migrations and seeds. */
export async function startTestApp(environment: NodeJS.ProcessEnv, lifetime = ofFile): Promise<App> {
  const config = loadConfig(environment);
  await makeTables(config.databaseUrl, inject('schema'));
  const app = await startApp(config, { role: 'migrate' });
  await migrate(app.db);
  await seedFirstStart(systemContext(app), config);
  lifetime.stopAtEnd(() => stopApp(app));
  return app;
}

/**
 * The host of this test file, made at the first call: one database and data directory for each
 * file.
 */
export function testApp(): Promise<App> {
  if (shared === undefined) {
    shared = testEnvironment().then((environment) => startTestApp(environment));
    ofFile.stopAtEnd(async () => {
      shared = undefined;
    });
  }
  return shared;
}
