import type { App } from '@selvage/core/context/app';
import { initModels } from '@selvage/core/models/init-models';
import { ofFile, ofWorker } from './end-of-file.ts';
import { isAlive } from './is-alive.ts';
import { type ProgramName, type ReachableHost, startTestHost, type TestHost } from './test-host.ts';

/**
 * One host for all test files of a worker, since starting one takes as long as half of their tests.
 */
let host: Promise<TestHost> | undefined;
/** The host's programs that are running. */
const programs = new Set<ProgramName>();

/**
 * A host without the SMTP programs that test files use one after another. It is for tests that look
 * only at their own company, change no setting of the host and stop none of its programs.
 */
export function sharedWebHost(): Promise<ReachableHost> {
  return share(['workers', 'api']);
}

/** As `sharedWebHost`, with the SMTP programs. */
export function sharedTestHost(): Promise<ReachableHost> {
  return share(['workers', 'inbound', 'submission', 'api']);
}

async function share(wanted: readonly ProgramName[]): Promise<ReachableHost> {
  host ??= startTestHost({}, [], ofWorker);
  const started = await host;
  const missing = wanted.filter((name) => !programs.has(name));
  await Promise.all(missing.map((name) => started.start(name)));
  for (const name of missing) programs.add(name);
  // A host of an earlier file may have bound the models to its own database
  initModels(started.app.db);
  await forgetRates(started.app);
  ofFile.checkAtEnd(() => checkPrograms(started));
  // A copy, since a test file may replace the address for itself
  const { app, url, ports, dns, remote, dataDir, health } = started;
  return { app, url, ports, dns, remote, dataDir, health };
}

/** Resets the rate limits: all test files use one address, whose limits are those of one person. */
async function forgetRates({ redis }: App): Promise<void> {
  const keys = await redis.keys('rate:*');
  if (keys.length > 0) await redis.del(keys);
}

/**
 * Fails a test file that has ended a program of the host. The next file gets the program restarted.
 */
async function checkPrograms(started: TestHost): Promise<void> {
  const ended = [...programs].filter((name) => !isAlive(started.pid(name)));
  for (const name of ended) programs.delete(name);
  if (ended.length > 0) throw new Error(`ended in the shared host: ${ended.join(', ')}`);
}
