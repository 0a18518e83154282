import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App } from '@selvage/core/context/app';
import { migrate } from '@selvage/core/database/migrate';
import { loadConfig } from '@selvage/core/process/config';
import { startApp, stopApp } from '@selvage/core/startup/start-app';
import { type Engines, startEngines } from '../../ops/engines.ts';

/**
 * Measures with an App on separate engines, whose tables are empty. At the end, also after a
 * failure, the engines stop and their directory is deleted.
 */
export async function withPrivateApp(measure: (app: App) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'selvage-bench-'));
  try {
    const engines = await startEngines({ dataDir });
    try {
      await onEngines(engines, dataDir, measure);
    } finally {
      await engines.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function onEngines(engines: Engines, dataDir: string, measure: (app: App) => Promise<void>): Promise<void> {
  const { databaseUrl, redisUrl } = engines;
  const environment = { SELVAGE_DATA: dataDir, DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, LOG_LEVEL: 'error' };
  const app = await startApp(loadConfig(environment), { role: 'migrate' });
  try {
    await migrate(app.db);
    await measure(app);
  } finally {
    await stopApp(app);
  }
}
