import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { App } from '@selvage/core/context/app';
import { connectDatabase, connectWithoutModels } from '@selvage/core/database/connect-database';
import { isDatabaseAway } from '@selvage/core/database/database-errors';
import { migrate, schemaState } from '@selvage/core/database/migrate';
import { loadConfig } from '@selvage/core/process/config';
import { startApp, stopApp } from '@selvage/core/startup/start-app';
import type { Connection } from 'mysql2';
import type { Sequelize } from 'sequelize';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endingAt, schemaOf } from '../support/schema.ts';
import { testEnvironment } from '../support/test-app.ts';
import { findFaults } from './check-host.ts';
import { keptFiles } from './kept-settings.ts';
import { expectedOf, keptVersions, loadKept } from './load-kept.ts';
import { readKeptHost } from './read-kept-host.ts';
import { changedRows, contentsOf, type Rows, rowsOf } from './rows.ts';

/** Columns that a schema step gives other values on purpose, as `table.column`. */
const rewritten: ReadonlySet<string> = new Set(['messages.dedupe_key']);

/** All rows but those that a schema step removes on purpose: jobs that are no longer there. */
function withoutRemoved(rows: Rows): Rows {
  const outbox = [...(rows.get('outbox') ?? [])].filter(([, row]) => row['job_name'] !== 'mail.notify');
  return new Map(rows).set('outbox', new Map(outbox));
}

const opened: Sequelize[] = [];
const apps: App[] = [];

afterAll(async () => {
  await Promise.all(apps.map(stopApp));
  await Promise.all(opened.map((db) => db.close()));
});

function connect(environment: NodeJS.ProcessEnv): Sequelize {
  const db = connectDatabase(loadConfig(environment));
  stopClock(db);
  opened.push(db);
  return db;
}

/** Two upgrades write the same when the engine's clock stands still. */
function stopClock(db: Sequelize): void {
  db.addHook('afterConnect', async (connection: unknown) => {
    await (connection as Connection).promise().query('SET SESSION timestamp = 1800000000');
  });
}

/** A host of this version on what was upgraded. */
async function startHost(environment: NodeJS.ProcessEnv): Promise<App> {
  const app = await startApp(loadConfig(environment), { role: 'api' });
  apps.push(app);
  return app;
}

/** An upgrade may leave columns in another order than a new database has. */
async function tablesWithSortedColumns(db: Sequelize): Promise<string[]> {
  const tables = await schemaOf(db);
  return tables.map((table) => table.replaceAll(',\n', '\n').split('\n').toSorted().join('\n'));
}

/** What can be read of a host, in the form in which it is kept. */
async function asKept(app: App): Promise<unknown> {
  return JSON.parse(JSON.stringify(await readKeptHost(app))) as unknown;
}

/**
 * Upgrades by many starts. Each dies one statement later than the last, before that statement or
 * right after it. When one has got so far that it left a note, the next begin to die early again.
 * @returns how many died
 */
async function upgradeDyingOften(environment: NodeJS.ProcessEnv): Promise<number> {
  const db = connect(environment);
  const notes = async () => JSON.stringify(await db.query('SELECT * FROM schema_progress ORDER BY name'));
  let earliest = 0;
  let deaths = 0;
  for (let number = 1, left = await notes(); ; number++) {
    for (const isDone of [false, true]) {
      if (await isUpgraded(environment, number, isDone)) return deaths;
      deaths += 1;
      const now = await notes();
      if (now === left) continue;
      left = now;
      // Before the statement that the note is about
      earliest ||= number - 1;
      number = earliest - 1;
      break;
    }
  }
}

/** One start, which may die at a statement. */
async function isUpgraded(environment: NodeJS.ProcessEnv, number: number, isDone: boolean): Promise<boolean> {
  const db = connectWithoutModels(loadConfig(environment));
  stopClock(db);
  try {
    await migrate(endingAt(db, number, isDone).db);
    return true;
  } catch (error) {
    // A busy machine may take a connection too late. The next start has to go on from there as well
    if (!isDatabaseAway(error)) expect(String(error)).toContain('died');
    return false;
  } finally {
    await db.close();
  }
}

const versions = await keptVersions();
let fresh: string[];

beforeAll(async () => {
  const db = connect(await testEnvironment());
  await migrate(db);
  fresh = await tablesWithSortedColumns(db);
});

it('every version that is released, and the one of this checkout, is kept', async () => {
  const read = (path: string) => readFile(join(import.meta.dirname, '../..', path), 'utf8');
  const { version } = JSON.parse(await read('package.json')) as { version: string };
  const headings = [...(await read('CHANGELOG.md')).matchAll(/^## .*?(\d+\.\d+\.\d+)/gm)].map(([, named]) => named);
  expect(versions).toEqual(expect.arrayContaining([version, ...headings]));
});

it('of every kept version all is there that is read below', async () => {
  expect(versions.length).toBeGreaterThan(0);
  for (const version of versions) {
    const { dump, blobs } = keptFiles(version);
    expect([version, (await readFile(dump, 'utf8')).includes('CREATE TABLE `messages`')]).toEqual([version, true]);
    expect([version, (await readdir(blobs)).length > 0]).toEqual([version, true]);
    expect([version, Object.keys(await expectedOf(version)).length > 0]).toEqual([version, true]);
  }
});

describe.each(versions)('a host of version %s', (version) => {
  let upgraded: string[];

  beforeAll(async () => {
    const db = connect(await loadKept(version));
    await migrate(db);
    upgraded = contentsOf(await rowsOf(db));
  });

  it('shows every message, draft, person and sum again after the upgrade', async () => {
    const environment = await loadKept(version);
    const db = connect(environment);
    const before = withoutRemoved(await rowsOf(db));
    await migrate(db);
    expect((await schemaState(db)).pending).toEqual([]);
    expect(await tablesWithSortedColumns(db)).toEqual(fresh);
    expect(changedRows(before, await rowsOf(db), rewritten)).toEqual([]);
    const app = await startHost(environment);
    expect(await asKept(app)).toEqual(await expectedOf(version));
    expect(await findFaults(app)).toEqual([]);
  }, 180_000);

  it('is the same when starts die before and after every statement', async () => {
    const environment = await loadKept(version);
    const db = connect(environment);
    const before = withoutRemoved(await rowsOf(db));
    expect(await upgradeDyingOften(environment)).toBeGreaterThan(0);
    expect((await schemaState(db)).pending).toEqual([]);
    expect(await tablesWithSortedColumns(db)).toEqual(fresh);
    const rows = await rowsOf(db);
    expect(changedRows(before, rows, rewritten)).toEqual([]);
    expect(contentsOf(rows)).toEqual(upgraded);
    const app = await startHost(environment);
    expect(await asKept(app)).toEqual(await expectedOf(version));
    expect(await findFaults(app)).toEqual([]);
  }, 900_000);
});
