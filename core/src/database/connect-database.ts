import { setTimeout as wait } from 'node:timers/promises';
import { type Model, Sequelize } from 'sequelize';
import { initModels } from '../models/init-models.ts';
import type { Config } from '../process/config.ts';
import { driverWithLimit } from './database-driver.ts';
import { isDatabaseAway, isLoginRefused } from './database-errors.ts';
import { beginByDriver } from './run-statement.ts';
import { log } from '../log.ts';

/** What mysql2 hands to Sequelize's `afterConnect`, as far as it is used here. */
interface RawConnection {
  query(sql: string, done: (error: Error | null) => void): void;
}

/**
 * A day, since schema steps rewrite whole tables, and a step may wait for one of another process.
 */
const schemaLimitSeconds = 86_400;
/**
 * After this time the server ends a transaction in which nothing is asked: its client has lost its
 * network or its power, and other processes wait for its locks.
 */
const idleLimitSeconds = 60;

const sessionSettings = (limitSeconds: number) => [
  // A value that does not fit fails instead of being cut
  "SET SESSION sql_mode = 'STRICT_TRANS_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'",
  // Without gap locks: a statement that changes due rows must not block inserts next to them
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
  // Only MariaDB runs the text between these marks; MySQL has such a limit for SELECT alone.
  `SET SESSION innodb_lock_wait_timeout = 10 /*M! , max_statement_time = ${limitSeconds}, idle_transaction_timeout = ${idleLimitSeconds} */`,
];

type Settings = Pick<Config, 'databaseUrl' | 'databasePool' | 'databaseTimeoutSeconds'>;
interface Options {
  forSchema?: boolean;
}

/**
 * A pool that connects when it is first used, with every model bound to it. Ids are strings
 * everywhere. Statements have the time limit of the configuration; with `forSchema`, the one of
 * schema steps, which is a day.
 */
export function connectDatabase(config: Settings, options: Options = {}): Sequelize {
  const sequelize = connectWithoutModels(config, options);
  initModels(sequelize);
  return sequelize;
}

/** As `connectDatabase`, for statements alone. To bind the models takes longer than to connect. */
export function connectWithoutModels(config: Settings, { forSchema = false }: Options = {}): Sequelize {
  const url = new URL(config.databaseUrl);
  const limitSeconds = forSchema ? schemaLimitSeconds : config.databaseTimeoutSeconds;
  const socketPath = url.searchParams.get('socket');
  const sequelize = new Sequelize({
    dialect: 'mysql',
    // The server itself stops a statement that is too slow, see below. The driver gives up, a
    // little later, only on a server that says nothing at all
    dialectModule: driverWithLimit(limitSeconds * 1200),
    host: url.hostname,
    port: url.port === '' ? 3306 : Number(url.port),
    database: decodeURIComponent(url.pathname.slice(1)),
    username: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    timezone: '+00:00',
    logging: false,
    define: { underscored: true },
    pool: { max: config.databasePool, min: 0, acquire: 10_000, idle: 60_000 },
    dialectOptions: {
      ...(socketPath === null ? {} : { socketPath }),
      supportBigNumbers: true,
      bigNumberStrings: true,
      charset: 'utf8mb4',
    },
  });
  sequelize.addHook('afterConnect', async (connection: unknown) => {
    await prepareSession(connection as RawConnection, sessionSettings(limitSeconds));
  });
  keepIdsStrings(sequelize);
  beginByDriver(sequelize);
  return sequelize;
}

async function prepareSession(connection: RawConnection, settings: string[]): Promise<void> {
  for (const statement of settings) {
    await new Promise<void>((resolve, reject) => {
      connection.query(statement, (error) => (error === null ? resolve() : reject(error)));
    });
  }
}

/**
 * A read gives a BIGINT as a string, an insert gives the new id as a number: without this, `===`
 * fails right after a create.
 */
function keepIdsStrings(sequelize: Sequelize): void {
  const normalise = (instance: Model): void => {
    const id: unknown = instance.get('id');
    if (typeof id !== 'number') return;
    (instance as Model & { dataValues: { id?: string } }).dataValues.id = String(id);
    instance.changed('id' as never, false);
  };
  sequelize.addHook('afterCreate', normalise);
  sequelize.addHook('afterBulkCreate', (instances: readonly Model[]) => instances.forEach(normalise));
}

/** How a process waits for the database. */
export interface DatabaseWait {
  limitMs?: number;
  /** Takes a sentence for the operator when the wait begins. */
  say?: ((sentence: string) => void) | undefined;
}

/**
 * Waits with growing pauses until the database answers.
 * @throws the last error after the limit, and at once when the server refuses the login
 */
export async function waitForDatabase(
  sequelize: Sequelize,
  { limitMs = 60_000, say }: DatabaseWait = {},
): Promise<void> {
  const deadline = performance.now() + limitMs;
  for (let pauseMs = 100; ; pauseMs = Math.min(pauseMs * 2, 2000)) {
    try {
      await sequelize.query('SELECT 1');
      return;
    } catch (error) {
      if (!isDatabaseAway(error) || isLoginRefused(error) || performance.now() + pauseMs > deadline) throw error;
      if (pauseMs === 100) say?.(`waiting for the database, up to ${limitMs / 1000} s`);
      log.warn('waiting for the database', { error });
    }
    await wait(pauseMs);
  }
}
