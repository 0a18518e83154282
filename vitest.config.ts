import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { compileCache } from './tests/support/compile-cache.ts';

// Vitest's workers inherit it
process.env['NODE_COMPILE_CACHE'] ??= compileCache;

/** Redis has numbers for as many. */
const mostWorkers = 4;
const cores = Math.min(availableParallelism(), mostWorkers);
const shared = {
  environment: 'node',
  maxWorkers: cores,
  // Once for each worker, however many files it runs
  execArgv: ['--import', new URL('tests/support/keep-awake.ts', import.meta.url).href],
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // A condition that is waited for comes late on a busy machine
  expect: { poll: { timeout: 30_000 } },
};
/**
 * Tests of these kinds wait for other programs, for locks and for time limits. So more of them run
 * at once than a small machine has cores.
 */
const waiting = { maxWorkers: mostWorkers, sequence: { groupOrder: 1 } } as const;
/** Each of these tests keeps more than one core busy by itself. */
const busy = { maxWorkers: cores, sequence: { groupOrder: 2 } } as const;
const withEngines = {
  ...shared,
  // What a program needs for its start on a machine that runs many others
  hookTimeout: 180_000,
  setupFiles: 'tests/support/set-up-file.ts',
  globalSetup: 'tests/support/global-setup.ts',
} as const;
/** These replace modules, which only works where no other file has loaded them. */
const replacing = [
  'core/src/environment/take-part.test.ts',
  'core/src/process/overlay-config.test.ts',
  'core/src/startup/start-app.test.ts',
];
const withHost = { ...withEngines, ...busy, testTimeout: 120_000, hookTimeout: 240_000 } as const;
/**
 * Each of these becomes one module, once for all component tests. Fluent alone has more than a
 * thousand, which every file would load anew.
 */
const bundled = [
  'react',
  'react-dom',
  'react-dom/client',
  'react/jsx-runtime',
  'react/jsx-dev-runtime',
  'react-router-dom',
  '@fluentui/react-components',
  '@tanstack/react-query',
  '@testing-library/react',
  '@testing-library/user-event',
  'zod',
];
const pure = [
  'core/src/{mail,dns,contracts}/**/*.test.ts',
  'webmail/{src,checks}/**/*.test.ts',
  'ops/**/*.test.ts',
  'tests/support/**/*.test.ts',
  'admin-api/src/http/error-codes.test.ts',
];

/**
 * - `unit`: no engine.
 * - `component`: parts of the webmail in a simulated browser, without a server.
 * - `service`: a real MariaDB and Redis, one database a test file. Files share loaded modules.
 * - `door`: the same for the doors of mail, of which a process has one, for upgrades, and for tests
 *   that replace modules. Each file loads its own.
 * - `flow`: the whole host as an operator runs it, with name servers and remote mail servers of our
 *   own.
 * - `browser`: the same, seen through Chromium. Most files share one host a worker.
 * - `compose`: docker-compose.yml on a container engine; only with TEST_COMPOSE=1.
 */
export default defineConfig({
  test: {
    // With so many failures there is a common cause, and each of them may have waited for minutes
    bail: 30,
    // What a test and the processes under it log shows only where it failed
    silent: 'passed-only',
    // Until hosts and engines have ended; then Vitest leaves them running
    teardownTimeout: 60_000,
    projects: [
      { test: { ...shared, name: 'unit', include: pure } },
      {
        test: {
          ...shared,
          name: 'component',
          include: ['webmail/src/**/*.test.tsx'],
          environment: 'jsdom',
          setupFiles: 'webmail/src/test/end-timers.ts',
          deps: { optimizer: { client: { enabled: true, include: bundled } } },
        },
      },
      {
        test: {
          ...withEngines,
          ...waiting,
          name: 'service',
          // To load core and its libraries anew for each file takes as long as the tests themselves
          isolate: false,
          include: ['{core,admin-api,workers}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...pure, ...replacing],
        },
      },
      {
        test: {
          ...withEngines,
          ...waiting,
          name: 'door',
          include: ['{mta,tests/upgrades}/**/*.test.ts', ...replacing],
        },
      },
      // Some start programs again, or wait for several steps of them
      { test: { ...withHost, name: 'flow', include: ['tests/flows/**/*.test.ts'], testTimeout: 300_000 } },
      {
        test: {
          ...withHost,
          name: 'browser',
          // Files share a loaded core, a host and a browser, which take as long to start as most tests
          isolate: false,
          include: ['tests/browser/**/*.test.ts'],
        },
      },
      { test: { ...shared, name: 'compose', include: ['tests/compose/**/*.test.ts'], testTimeout: 300_000 } },
    ],
  },
});
