import { configDefaults, defineConfig } from 'vitest/config';

const shared = { environment: 'node', testTimeout: 20_000, hookTimeout: 60_000 } as const;
const pure = ['core/src/{mail,dns,contracts}/**/*.test.ts', 'webmail/{src,checks}/**/*.test.ts', 'ops/**/*.test.ts'];

/**
 * - `unit`: no engine.
 * - `component`: parts of the webmail in a simulated browser, without a server.
 * - `service`: a real MariaDB and Redis, one database a test file. Also what is in no list.
 * - `flow`: the whole host as an operator runs it, with name servers and remote mail servers of our own.
 * - `browser`: the same, seen through Chromium.
 * - `compose`: docker-compose.yml on a container engine; only with TEST_COMPOSE=1.
 */
export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      { test: { ...shared, name: 'unit', include: pure } },
      {
        test: {
          ...shared,
          name: 'component',
          include: ['webmail/src/**/*.test.tsx'],
          environment: 'jsdom',
        },
      },
      {
        test: {
          ...shared,
          name: 'service',
          include: ['{core,admin-api,mta,workers}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...pure],
          globalSetup: ['tests/support/global-setup.ts'],
        },
      },
      {
        test: {
          ...shared,
          name: 'flow',
          include: ['tests/flows/**/*.test.ts'],
          globalSetup: ['tests/support/global-setup.ts'],
          testTimeout: 90_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          ...shared,
          name: 'browser',
          include: ['tests/browser/**/*.test.ts'],
          globalSetup: ['tests/support/global-setup.ts'],
          testTimeout: 90_000,
          hookTimeout: 120_000,
        },
      },
      { test: { ...shared, name: 'compose', include: ['tests/compose/**/*.test.ts'], testTimeout: 300_000 } },
    ],
  },
});
