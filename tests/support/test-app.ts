import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type App, startApp, stopApp } from '@selvage/core/runtime/app';
import { loadConfig } from '@selvage/core/runtime/config';
import { systemContext } from '@selvage/core/runtime/context';
import { migrate } from '@selvage/core/runtime/database';
import { seedFirstStart } from '@selvage/core/access/seed';
import { afterAll, inject } from 'vitest';
import { createTestDatabase } from './test-database.ts';

const started: (() => Promise<void>)[] = [];
let shared: Promise<App> | undefined;

/** The environment of a host of this test file's own: its own data directory, database and Redis number. */
export async function testEnvironment(overrides: NodeJS.ProcessEnv = {}): Promise<NodeJS.ProcessEnv> {
  const dataDir = await mkdtemp(join(tmpdir(), 'selvage-test-'));
  const database = await createTestDatabase(inject('databaseUrl'));
  const redis = new URL(inject('redisUrl'));
  // a Redis number of its own; two files that draw the same one still have keys and jobs with different ids
  if (redis.searchParams.has('db')) redis.searchParams.set('db', String(randomInt(1, 16)));
  started.push(async () => {
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
    ...overrides,
  };
}

/** Connects a host made from an environment, migrated and seeded. Stopped when the test file ends. */
export async function startTestApp(environment: NodeJS.ProcessEnv): Promise<App> {
  const config = loadConfig(environment);
  const app = await startApp(config, { role: 'migrate' });
  await migrate(app.db);
  await seedFirstStart(systemContext(app), config);
  started.unshift(() => stopApp(app));
  return app;
}

/** The host of this test file: one database and data directory a file, made at the first call. */
export function testApp(): Promise<App> {
  shared ??= testEnvironment().then(startTestApp);
  return shared;
}

afterAll(async () => {
  for (const stop of started.splice(0)) await stop();
});
