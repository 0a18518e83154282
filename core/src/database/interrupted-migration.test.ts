import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { QueryTypes, type Sequelize } from 'sequelize';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endingAt, schemaOf } from '../../../tests/support/schema.ts';
import { testEnvironment } from '../../../tests/support/test-app.ts';
import { loadConfig } from '../process/config.ts';
import { startApp } from '../startup/start-app.ts';
import { connectDatabase } from './connect-database.ts';
import { migrate, schemaState, withMigrationLock } from './migrate.ts';
import { runSchemaStep } from './run-schema-step.ts';

async function emptyDatabase() {
  const environment = await testEnvironment();
  return { db: connect(environment), environment };
}

function connect(environment: NodeJS.ProcessEnv): Sequelize {
  const db = connectDatabase(loadConfig(environment));
  opened.push(db);
  return db;
}

/**
 * Migrates as the next start does. The server may still be at the last statement of a process that
 * has ended, and holds its lock until then.
 */
const migrateNext = (db: Sequelize) => withMigrationLock(db, () => migrate(db));

const opened: Sequelize[] = [];

afterAll(async () => {
  await Promise.all(opened.map((db) => db.close()));
});

// Each makes all tables several times, which takes a minute on a crowded machine
describe('a schema change that is interrupted', { timeout: 240_000 }, () => {
  let whole: string[];
  let statements: number;

  beforeAll(async () => {
    const { db } = await emptyDatabase();
    const counted = endingAt(db, Number.POSITIVE_INFINITY, true);
    await migrate(counted.db);
    statements = counted.count();
    whole = await schemaOf(db);
    expect(whole.length).toBeGreaterThan(20);
  }, 240_000);

  it.each([0.02, 0.2, 0.37, 0.5, 0.63, 0.81, 0.9, 0.97])(
    'is completed by the next start, whether the last statement was done or not: at %d of the way',
    async (share) => {
      const dieOnce = async (isDone: boolean): Promise<void> => {
        const { db, environment } = await emptyDatabase();
        const dying = endingAt(connect(environment), Math.ceil(statements * share), isDone);
        await expect(migrate(dying.db)).rejects.toThrow('died');
        await migrate(db);
        expect((await schemaState(db)).pending).toEqual([]);
        expect(await schemaOf(db)).toEqual(whole);
        expect(await db.query('SELECT * FROM outbound_turns', { type: QueryTypes.SELECT })).toHaveLength(1);
      };
      await Promise.all([false, true].map(dieOnce));
    },
  );

  it('by kill -9 is completed by the next start', async () => {
    const { db, environment } = await emptyDatabase();
    const program = join(import.meta.dirname, '../startup/main-migrate.ts');
    for (const afterMs of [700, 900, 1100, 1300]) {
      const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...environment };
      const child = spawn(process.execPath, [program], { env, stdio: 'ignore' });
      const ended = once(child, 'exit');
      await Promise.race([wait(afterMs), ended]);
      child.kill('SIGKILL');
      await ended;
    }
    await migrateNext(db);
    expect(await schemaOf(db)).toEqual(whole);
  });

  it('ends when the process that started it is gone, and the next start completes it', async () => {
    const { db, environment } = await emptyDatabase();
    const program = join(import.meta.dirname, '../startup/main-migrate.ts');
    const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...environment };
    const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    const ended = once(child, 'exit');
    child.disconnect();
    expect(await ended).toEqual([1, null]);
    await migrateNext(db);
    expect(await schemaOf(db)).toEqual(whole);
  });
});

describe('a walk over a table that is interrupted', () => {
  const step = [
    {
      walk: 'walked_rows',
      rows: 2,
      statements: ['UPDATE walked_rows SET visits = visits + 1 WHERE id > :after AND id <= :upTo'],
    },
  ];

  it('visits each row once, wherever it ends', async () => {
    const { db } = await emptyDatabase();
    await db.query('CREATE TABLE walked_rows (id BIGINT PRIMARY KEY, visits INT NOT NULL DEFAULT 0)');
    await db.query('INSERT INTO walked_rows (id) VALUES (1), (2), (3), (6), (7)');
    let ends = 0;
    for (let number = 1; ; number += 1) {
      const dying = endingAt(db, number, number % 2 === 0);
      const error = await runSchemaStep(dying.db, `walk ${number}`, step).catch((reason: unknown) => reason);
      if (error === undefined) break;
      ends += 1;
      await runSchemaStep(db, `walk ${number}`, step);
      const rows = await db.query('SELECT DISTINCT visits FROM walked_rows', { type: QueryTypes.SELECT });
      expect(rows).toEqual([{ visits: number }]);
    }
    // Two for the table of the progress, two to begin, one to look, two for each portion
    expect(ends).toBeGreaterThan(10);
  });
});

describe('a database of a newer version', () => {
  it('is refused with a sentence', async () => {
    const { db, environment } = await emptyDatabase();
    await migrate(db);
    await db.query("INSERT INTO schema_migrations (name) VALUES ('20991231-0000-from-the-future.ts')");
    for (const role of ['api', 'migrate'] as const) {
      await expect(startApp(loadConfig(environment), { role })).rejects.toThrow(
        /used by a newer version of Selvage\..*20991231-0000-from-the-future/,
      );
    }
  });
});
