import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Model, QueryTypes, type QueryInterface, Sequelize, Transaction } from 'sequelize';
import { SequelizeStorage, Umzug } from 'umzug';
import { initModels } from '../models/init-models.ts';
import type { Config } from './config.ts';
import { driverWithLimit } from './database-driver.ts';
import { isDatabaseAway } from './database-errors.ts';
import { log } from './log.ts';

const migrationsDir = join(dirname(fileURLToPath(import.meta.url)), '..', 'migrations');
const migrationTable = 'schema_migrations';

/** Named after the database: several of them may share one server. */
const lockName = "CONCAT('selvage-', LEFT(DATABASE(), 50))";

/** What mysql2 hands to Sequelize's `afterConnect`, as far as we use it. */
interface RawConnection {
  query(sql: string, done: (error: Error | null) => void): void;
}

/** Schema steps rewrite whole tables, and a step waits for the one of another process. */
const schemaLimitSeconds = 86_400;
const sessionSettings = (limitSeconds: number) => [
  // Bad values fail instead of being cut.
  "SET SESSION sql_mode = 'STRICT_TRANS_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'",
  // Without gap locks: claims with SKIP LOCKED must not block inserts next to them.
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
  // Only MariaDB reads what stands between these marks; MySQL has such a limit for SELECT alone.
  `SET SESSION innodb_lock_wait_timeout = 10 /*M! , max_statement_time = ${limitSeconds} */`,
];

/**
 * A pool that connects when it is first used, with every model bound to it. Ids are strings everywhere. Statements have the time
 * limit of the configuration; with `forSchema`, the one of schema steps, which is a day.
 */
export function connectDatabase(
  config: Pick<Config, 'databaseUrl' | 'databasePool' | 'databaseTimeoutSeconds'>,
  { forSchema = false }: { forSchema?: boolean } = {},
): Sequelize {
  const url = new URL(config.databaseUrl);
  const limitSeconds = forSchema ? schemaLimitSeconds : config.databaseTimeoutSeconds;
  const socketPath = url.searchParams.get('socket');
  const sequelize = new Sequelize({
    dialect: 'mysql',
    // The server stops a statement itself, see below: only one that says nothing at all is given up, and a little later
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
  initModels(sequelize);
  return sequelize;
}

async function prepareSession(connection: RawConnection, settings: string[]): Promise<void> {
  for (const statement of settings) {
    await new Promise<void>((resolve, reject) => {
      connection.query(statement, (error) => (error === null ? resolve() : reject(error)));
    });
  }
}

/** Reads give a BIGINT as a string, inserts give the new id as a number: without this, `===` fails right after a create. */
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

/** Waits with growing pauses until the database answers. @throws the last error after the limit. */
export async function waitForDatabase(sequelize: Sequelize, limitMs = 60_000): Promise<void> {
  const deadline = Date.now() + limitMs;
  for (let pauseMs = 100; ; pauseMs = Math.min(pauseMs * 2, 2000)) {
    try {
      await sequelize.query('SELECT 1');
      return;
    } catch (error) {
      if (!isDatabaseAway(error) || Date.now() + pauseMs > deadline) throw error;
      log.warn('waiting for the database', { error });
    }
    await wait(pauseMs);
  }
}

/** Names of the schema steps that this version has and the database lacks. */
export async function pendingMigrations(sequelize: Sequelize): Promise<string[]> {
  return (await createUmzug(sequelize).pending()).map((migration) => migration.name);
}

/** Runs the missing schema steps. Callers that may start at once do it inside `withMigrationLock`. @returns how many were run. */
export async function migrate(sequelize: Sequelize): Promise<number> {
  const done = await createUmzug(sequelize).up();
  for (const migration of done) log.info('schema step done', { migration: migration.name });
  return done.length;
}

/** Runs `fn` while no other process of this host changes the schema or makes the first records. */
export async function withMigrationLock<T>(sequelize: Sequelize, fn: () => Promise<T>): Promise<T> {
  // The lock belongs to a connection: the transaction is there to keep one for it.
  const holder = await sequelize.transaction({ isolationLevel: Transaction.ISOLATION_LEVELS.READ_COMMITTED });
  try {
    await takeLock(sequelize, holder);
    return await fn();
  } finally {
    await giveBack(sequelize, holder);
  }
}

/** Never throws: a connection that broke has lost the lock as well, and what broke it is the error to be heard of. */
async function giveBack(sequelize: Sequelize, holder: Transaction): Promise<void> {
  try {
    await sequelize.query(`SELECT RELEASE_LOCK(${lockName})`, { transaction: holder, type: QueryTypes.SELECT });
    await holder.rollback();
  } catch (error) {
    log.warn('the migration lock was lost with its connection', { error });
  }
}

async function takeLock(sequelize: Sequelize, holder: Transaction): Promise<void> {
  const rows = await sequelize.query<{ taken: number | string | null }>(`SELECT GET_LOCK(${lockName}, 120) AS taken`, {
    transaction: holder,
    type: QueryTypes.SELECT,
  });
  if (Number(rows[0]?.taken) !== 1) throw new Error('another process has been migrating for two minutes');
}

function createUmzug(sequelize: Sequelize): Umzug<QueryInterface> {
  return new Umzug<QueryInterface>({
    migrations: {
      glob: ['*.ts', { cwd: migrationsDir, ignore: '*.test.ts' }],
      resolve: ({ name, path, context }) => ({ name, up: async () => await runStep(name, path, context) }),
    },
    context: sequelize.getQueryInterface(),
    storage: new SequelizeStorage({ sequelize, tableName: migrationTable }),
    logger: undefined,
  });
}

async function runStep(name: string, path: string | undefined, context: QueryInterface): Promise<void> {
  if (path === undefined) throw new Error(`schema step ${name} has no file`);
  const step = (await import(pathToFileURL(path).href)) as { up(options: { context: QueryInterface }): Promise<void> };
  await step.up({ context });
}
