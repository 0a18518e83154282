/**
 * `npx node tests/upgrades/keep.ts <version>`: keeps a small filled host of this version, for the
 * test that upgrades every kept version to the present. Run it when the version is released, from
 * its checkout. It starts private engines, fills them by the code of the mail store, and writes
 * `tests/upgrades/<version>/`: the database, its blobs, and what can be read in them.
 */
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App } from '@selvage/core/context/app';
import { systemContext } from '@selvage/core/context/context';
import { migrate } from '@selvage/core/database/migrate';
import { configureLog } from '@selvage/core/log';
import { loadConfig } from '@selvage/core/process/config';
import { seedFirstStart } from '@selvage/core/startup/seed';
import { startApp, stopApp } from '@selvage/core/startup/start-app';
import { startEngines } from '../../ops/engines.ts';
import { print, printError } from '../../ops/print.ts';
import { findFaults } from './check-host.ts';
import { dumpStatements } from './dump-statements.ts';
import { fillMail, receive } from './fill-mail.ts';
import { fillOutgoing, waitingSeconds } from './fill-outgoing.ts';
import { fillPeople } from './fill-people.ts';
import { readKeptHost } from './read-kept-host.ts';
import { plainSample } from './sample-messages.ts';
import { keptFiles, keptSettings } from './kept-settings.ts';

const [version = ''] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+$/.test(version)) fail('name the version that is kept, such as 1.2.3');
const { folder } = keptFiles(version);
if (existsSync(folder)) fail(`${folder} is there already, and what a released version left behind never changes`);
configureLog({ level: 'warn', process: 'keep' });
await keep(version);
print(`kept in ${folder}`);

function fail(what: string): never {
  printError(what);
  process.exit(2);
}

async function keep(version: string): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'selvage-keep-'));
  const engines = await startEngines({ dataDir });
  try {
    const { databaseUrl, redisUrl } = engines;
    const loaded = loadConfig({
      ...keptSettings,
      SELVAGE_DATA: dataDir,
      DATABASE_URL: databaseUrl,
      REDIS_URL: redisUrl,
      DNS_SERVERS: '127.0.0.1:9',
      LOG_LEVEL: 'error',
    });
    // Longer than a setting may be
    const config = { ...loaded, retryScheduleSeconds: [waitingSeconds] };
    const app = await startApp(config, { role: 'migrate' });
    try {
      await migrate(app.db);
      await seedFirstStart(systemContext(app), config);
      await fill(app);
      await write(app, version);
    } finally {
      await stopApp(app);
    }
  } finally {
    await engines.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function fill(app: App): Promise<void> {
  const people = await fillPeople(app);
  await fillMail(app, people);
  await fillOutgoing(app, people);
  await app.relay.idle();
  // Rows of the outbox that were not announced
  app.redis.disconnect();
  await receive(systemContext(app), plainSample('While Redis was away', 'away'), [people.bob]);
}

/** Reading notes when passwords were used, so the dump comes first. */
async function write(app: App, version: string): Promise<void> {
  const { dump, blobs, expected } = keptFiles(version);
  const statements = await dumpStatements(app.config.databaseUrl);
  const host = await readKeptHost(app);
  const { directory } = app.config.blobStore;
  const faults = await findFaults(app);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  await mkdir(folder);
  await cp(directory, blobs, { recursive: true, filter: (path) => path !== join(directory, 'tmp') });
  await writeFile(dump, statements);
  await writeFile(expected, `${JSON.stringify(host, null, 2)}\n`);
}
