import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type QueryInterface, QueryTypes, type Sequelize } from 'sequelize';
import type { Umzug } from 'umzug';
import { log } from '../log.ts';
import { withNamedLock } from './named-lock.ts';
import { runSchemaStep, type SchemaStatement } from './run-schema-step.ts';
import { type Telling, UpgradeProgress } from './upgrade-progress.ts';

const migrationsDir = join(import.meta.dirname, 'migrations');
const migrationTable = 'schema_migrations';

/** How the schema of a database differs from that of this version, by names of schema steps. */
export interface SchemaState {
  /** Steps of this version that the database lacks. */
  pending: string[];
  /** Steps that the database has and this version does not know: a newer version has used it. */
  unknown: string[];
}

/** Compares the schema of the database with that of this version. */
export async function schemaState(sequelize: Sequelize): Promise<SchemaState> {
  return await compareSteps(await executedSteps(sequelize));
}

/** Compares the schema steps that a database has, such as one in a backup, with this version. */
export async function compareSteps(executed: readonly string[]): Promise<SchemaState> {
  const known = await stepsOfThisVersion();
  return {
    pending: known.filter((name) => !executed.includes(name)),
    unknown: executed.filter((name) => !known.includes(name)),
  };
}

/** The names of all schema steps of this version, in their order. */
async function stepsOfThisVersion(): Promise<string[]> {
  const files = await readdir(migrationsDir);
  return files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts')).toSorted();
}

/**
 * Runs the missing schema steps. Processes that may start at the same time call it inside
 * `withMigrationLock`. After an interruption, the next call continues with the statement that was
 * interrupted.
 * @param telling takes sentences about the progress; none when there is nothing to do
 * @returns how many steps were run
 */
export async function migrate(sequelize: Sequelize, telling: Telling = { say: () => undefined }): Promise<number> {
  const executed = await executedSteps(sequelize);
  const { pending } = await compareSteps(executed);
  if (pending.length === 0) return 0;
  const progress = new UpgradeProgress(sequelize, telling, { steps: pending.length, isNew: executed.length === 0 });
  try {
    const done = await (await createUmzug(sequelize, progress)).up();
    for (const migration of done) log.info('schema step done', { migration: migration.name });
    progress.end();
    return done.length;
  } finally {
    progress.stop();
  }
}

/** The names of the schema steps that a database has. A new database has none. */
async function executedSteps(sequelize: Sequelize): Promise<string[]> {
  const query = sequelize.getQueryInterface();
  if (!(await query.tableExists(migrationTable))) return [];
  const rows = await sequelize.query<{ name: string }>(`SELECT name FROM ${migrationTable} ORDER BY name`, {
    type: QueryTypes.SELECT,
  });
  return rows.map(({ name }) => name);
}

/**
 * Thrown when another process of this host has held the migration lock for too long. Its message is
 * a whole sentence.
 */
export class MigratingElsewhere extends Error {
  override readonly name = 'MigratingElsewhere';
}

/**
 * Runs `fn` while no other process of this host changes the schema or makes the first records.
 * @throws MigratingElsewhere when another one still does so after `patienceSeconds`
 */
export async function withMigrationLock<T>(
  sequelize: Sequelize,
  fn: () => Promise<T>,
  { patienceSeconds = 120 } = {},
): Promise<T> {
  const refusal = () =>
    new MigratingElsewhere(
      `Another process has been upgrading the database for ${patienceSeconds} seconds. Wait until it is done, then start again.`,
    );
  return await withNamedLock(sequelize, { name: lockNameOf(sequelize), patienceSeconds, refusal }, fn);
}

/** Named after the database, since several databases may share one server. */
function lockNameOf(sequelize: Sequelize): string {
  return `selvage-${sequelize.getDatabaseName().slice(0, 50)}`;
}

/**
 * Loads Umzug only now: every process compares the schema at its start, and Umzug takes as long to
 * load as Sequelize does.
 */
async function createUmzug(sequelize: Sequelize, progress: UpgradeProgress): Promise<Umzug<QueryInterface>> {
  const { SequelizeStorage, Umzug } = await import('umzug');
  return new Umzug<QueryInterface>({
    migrations: {
      glob: ['*.ts', { cwd: migrationsDir, ignore: '*.test.ts' }],
      resolve: ({ name, path, context }) => ({
        name,
        up: async () => {
          const statements = await statementsOf(name, path);
          progress.begin(name, statements.length);
          await runSchemaStep(context.sequelize, name, statements);
        },
      }),
    },
    context: sequelize.getQueryInterface(),
    storage: new SequelizeStorage({ sequelize, tableName: migrationTable }),
    logger: undefined,
  });
}

async function statementsOf(name: string, path: string | undefined): Promise<SchemaStatement[]> {
  if (path === undefined) throw new Error(`schema step ${name} has no file`);
  const { statements } = (await import(pathToFileURL(path).href)) as { statements: SchemaStatement[] };
  return statements;
}
