import { configureLog } from '@selvage/core/log';
import { keepThreadPoolAwake } from '@selvage/core/process/keep-thread-pool-awake';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { type ContainerEngines, startContainerEngines } from './container-engines.ts';
import { describeSchema, untilSharedAreDropped } from './test-database.ts';
import { type Engines, startEngines } from '../../ops/engines.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    databaseUrl: string;
    redisUrl: string;
    /** Statements that make the tables of the current schema. */
    schema: string;
  }
}

/**
 * Gives the tests a MariaDB and a Redis: private ones as `./ops/up` starts them, or containers with
 * `TEST_ENGINES=containers`.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  configureLog({ level: 'error', process: 'test' });
  keepThreadPoolAwake();
  const dataDir = await mkdtemp(join(tmpdir(), 'selvage-engines-'));
  const engines: Engines | ContainerEngines =
    process.env['TEST_ENGINES'] === 'containers' ? await startContainerEngines() : await startEngines({ dataDir });
  project.provide('databaseUrl', engines.databaseUrl);
  project.provide('redisUrl', engines.redisUrl);
  project.provide('schema', await describeSchema(engines.databaseUrl));
  return async () => {
    try {
      await untilSharedAreDropped(engines.databaseUrl);
    } finally {
      await engines.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  };
}
