import type { Connection } from 'mysql2';
import { describe, expect, it } from 'vitest';
import { startDatabaseProxy } from '../../../tests/support/database-proxy.ts';
import { testApp, testEnvironment } from '../../../tests/support/test-app.ts';
import { until } from '../../../tests/support/until.ts';
import { Company } from '../models/company.ts';
import { loadConfig } from '../process/config.ts';
import { inTransaction, systemContext } from '../context/context.ts';
import { connectDatabase } from './connect-database.ts';
import { migrate, MigratingElsewhere, schemaState, withMigrationLock } from './migrate.ts';
import { isDatabaseAway } from './database-errors.ts';
import { withNamedLock } from './named-lock.ts';
import { readRows } from './run-sql.ts';

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('expected a failure');
}

/** To connect and to ask for a number takes less, also on a crowded machine. */
const limits = { databasePool: 4, databaseTimeoutSeconds: 3 };

function setSession(connection: Connection, statement: string): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.query(statement, (error) => (error === null ? resolve() : reject(error)));
  });
}

/** A pool to the database of this file by way of a proxy that can stall. */
async function connectThroughProxy() {
  const { config } = await testApp();
  const proxy = await startDatabaseProxy(config.databaseUrl);
  return { proxy, db: connectDatabase({ ...limits, databaseUrl: proxy.databaseUrl }) };
}

describe('the database', () => {
  it('is brought up to date once by processes that start together', async () => {
    const config = loadConfig(await testEnvironment());
    const first = connectDatabase(config);
    const second = connectDatabase(config);
    const { pending: before } = await schemaState(first);
    const done = await Promise.all([first, second].map((db) => withMigrationLock(db, () => migrate(db))));
    expect(before.length).toBeGreaterThan(0);
    expect(done.toSorted((a, b) => a - b)).toEqual([0, before.length]);
    expect(await schemaState(second)).toEqual({ pending: [], unknown: [] });
    await Promise.all([first.close(), second.close()]);
  });

  it('is left alone by a process that has waited long enough for another one', async () => {
    const config = loadConfig(await testEnvironment());
    const [first, second] = [connectDatabase(config), connectDatabase(config)];
    const { promise: isHeld, resolve: tell } = Promise.withResolvers<void>();
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
    const holding = withMigrationLock(first, () => {
      tell();
      return isOver;
    });
    await isHeld;
    const failure = await failureOf(withMigrationLock(second, () => migrate(second), { patienceSeconds: 0 }));
    expect(failure).toBeInstanceOf(MigratingElsewhere);
    end();
    await holding;
    await Promise.all([first.close(), second.close()]);
  });

  it('keeps a lock for work of any length where the server ends what is idle', async () => {
    const db = connectDatabase(loadConfig(await testEnvironment()));
    db.addHook('afterConnect', async (connection) => {
      await setSession(connection as Connection, 'SET SESSION idle_transaction_timeout = 1, wait_timeout = 2');
    });
    const name = 'selvage-test-of-a-long-lock';
    const lock = { name, patienceSeconds: 0, refusal: () => new Error('held'), keepMs: 200 };
    const other = await testApp();
    const read = async (what: string) =>
      (await readRows<{ it: number }>({ app: other }, `SELECT ${what} AS it`, []))[0]?.it;
    const begun = Number(await read('UNIX_TIMESTAMP()'));
    await withNamedLock(db, lock, async () => {
      await until('the limits of the server are over', async () => Number(await read('UNIX_TIMESTAMP()')) >= begun + 5);
      expect(await read(`IS_USED_LOCK('${name}') IS NOT NULL`)).toBe(1);
    });
    expect(await read(`IS_USED_LOCK('${name}') IS NOT NULL`)).toBe(0);
    await db.close();
  });

  it('refuses a value that does not fit instead of cutting it', async () => {
    const app = await testApp();
    const error = await failureOf(Company.create({ name: 'x'.repeat(300), email: 'a@b.test' }));
    expect(isDatabaseAway(error)).toBe(false);
    expect(await app.db.query("SELECT 1 FROM companies WHERE email = 'a@b.test'")).toMatchObject([[], []]);
  });

  it('rolls back what a failing transaction wrote, also in a nested one', async () => {
    const ctx = systemContext(await testApp());
    const failing = inTransaction(ctx, async (outer) => {
      await inTransaction(outer, ({ tx }) =>
        Company.create({ name: 'gone', email: 'gone@b.test' }, { transaction: tx }),
      );
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await Company.count({ where: { email: 'gone@b.test' } })).toBe(0);
  });

  it('is told apart from a wrong statement when it is away', async () => {
    const app = await testApp();
    const away = connectDatabase({ ...limits, databaseUrl: 'mysql://u:p@localhost/x?socket=/nowhere.sock' });
    expect(isDatabaseAway(await failureOf(away.query('SELECT 1')))).toBe(true);
    expect(isDatabaseAway(await failureOf(app.db.query('SELECT nonsense')))).toBe(false);
    expect(isDatabaseAway(await failureOf(app.db.query('KILL CONNECTION_ID()')))).toBe(true);
    expect(isDatabaseAway(Object.assign(new Error('no such file'), { code: 'ENOENT' }))).toBe(false);
    await away.close();
  });

  it('that falls silent is given up after the time limit, and used again when it is back', async () => {
    const { db, proxy } = await connectThroughProxy();
    const ask = () => db.query('SELECT 1');
    await Promise.all(Array.from({ length: 4 }, ask));
    const stalled = Promise.withResolvers<void>();
    const transaction = db.transaction(async (transaction) => {
      await db.query('SELECT 1', { transaction });
      proxy.stall();
      stalled.resolve();
      // The second waits behind the first on the same connection
      await Promise.all([1, 2].map(() => db.query('SELECT 1', { transaction })));
    });
    await stalled.promise;
    const failures = await Promise.all([transaction, ...Array.from({ length: 8 }, ask)].map(failureOf));
    expect(failures.map(isDatabaseAway)).toEqual(Array<boolean>(9).fill(true));
    proxy.recover();
    // An attempt to connect that began before still fails, as does the question that waits for it
    await until('all answer again', async () => await Promise.all(Array.from({ length: 8 }, ask)));
    await db.close();
  });

  it('takes a statement back that runs too long, and keeps the connection', async () => {
    const { config } = await testApp();
    const db = connectDatabase({ ...limits, databaseUrl: config.databaseUrl, databasePool: 1 });
    const idOf = async () => await db.query('SELECT CONNECTION_ID() AS id');
    const before = await idOf();
    expect(isDatabaseAway(await failureOf(db.query('SELECT SLEEP(20)')))).toBe(true);
    expect(await idOf()).toEqual(before);
    await db.close();
  });
});
