import type { App } from '@selvage/core/context/app';
import { initModels } from '@selvage/core/models/init-models';
import { ofFile, ofWorker } from './end-of-file.ts';
import { isAlive } from './is-alive.ts';
import { type ProgramName, type ReachableHost, startTestHost, type TestHost } from './test-host.ts';

/** One host for all test files of a worker: to start one takes as long as half of their tests. */
let host: Promise<TestHost> | undefined;
/** Its programs that run. */
const programs = new Set<ProgramName>();

/**
 * A host that test files use one after another, without the doors of mail: for tests that look at
 * their own company alone, change no setting of the host and stop none of its programs.
 */
export function sharedWebHost(): Promise<ReachableHost> {
  return share(['workers', 'api']);
}

/** As `sharedWebHost`, with the doors of mail. */
export function sharedTestHost(): Promise<ReachableHost> {
  return share(['workers', 'inbound', 'submission', 'api']);
}

async function share(wanted: readonly ProgramName[]): Promise<ReachableHost> {
  host ??= startTestHost({}, [], ofWorker);
  const started = await host;
  const missing = wanted.filter((name) => !programs.has(name));
  await Promise.all(missing.map((name) => started.start(name)));
  for (const name of missing) programs.add(name);
  // The host of an earlier file has bound them to its own database
  initModels(started.app.db);
  await forgetRates(started.app);
  ofFile.checkAtEnd(() => checkPrograms(started));
  // A file may use another address, for itself alone
  const { app, url, ports, dns, remote, dataDir, health } = started;
  return { app, url, ports, dns, remote, dataDir, health };
}

/** All test files come from one address, whose limits are those of one person. */
async function forgetRates({ redis }: App): Promise<void> {
  const keys = await redis.keys('rate:*');
  if (keys.length > 0) await redis.del(keys);
}

/** A file whose tests end a program hears of it, and the next one gets it back. */
async function checkPrograms(started: TestHost): Promise<void> {
  const ended = [...programs].filter((name) => !isAlive(started.pid(name)));
  for (const name of ended) programs.delete(name);
  if (ended.length > 0) throw new Error(`ended in the shared host: ${ended.join(', ')}`);
}
