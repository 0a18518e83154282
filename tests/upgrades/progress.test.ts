import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { connectDatabase } from '@selvage/core/database/connect-database';
import { migrate } from '@selvage/core/database/migrate';
import { runSchemaStep } from '@selvage/core/database/run-schema-step';
import { loadConfig } from '@selvage/core/process/config';
import type { Sequelize } from 'sequelize';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { makeDataDir } from '../../ops/engines/data-dir.ts';
import { runMigration } from '../../ops/supervisor/run-migration.ts';
import { readSettings } from '../../ops/supervisor/settings.ts';
import { testEnvironment } from '../support/test-app.ts';

// Each start is a process of its own
vi.setConfig({ testTimeout: 180_000 });

const migrations = join(import.meta.dirname, '../../core/src/database/migrations');
const opened: Sequelize[] = [];

afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(opened.splice(0).map((db) => db.close()));
});

function connect(environment: NodeJS.ProcessEnv): Sequelize {
  const db = connectDatabase(loadConfig(environment));
  opened.push(db);
  return db;
}

/** A database as a version left it that did not know the last steps; answers their names. */
async function lackSteps(db: Sequelize, lacking: number): Promise<string[]> {
  const names = (await readdir(migrations)).toSorted();
  await db.query('CREATE TABLE schema_migrations (name VARCHAR(255) NOT NULL PRIMARY KEY)');
  for (const name of names.slice(0, -lacking)) {
    const { statements } = (await import(pathToFileURL(join(migrations, name)).href)) as { statements: string[] };
    await runSchemaStep(db, name, statements);
    await db.query('INSERT INTO schema_migrations (name) VALUES (:name)', { replacements: { name } });
  }
  return names.slice(-lacking).map((name) => name.replace('.ts', ''));
}

/** Starts the migration as `./ops/up` does. */
async function up(environment: NodeJS.ProcessEnv): Promise<{ said: string[]; migrated: number }> {
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  const settings = readSettings();
  makeDataDir(settings.dataDir);
  const said: string[] = [];
  const { migrated } = await runMigration(settings, (line) => said.push(line));
  return { said, migrated };
}

const logOf = async ({ SELVAGE_DATA = '' }: NodeJS.ProcessEnv) =>
  await readFile(join(SELVAGE_DATA, 'log', 'migrate.log'), 'utf8');

describe('a start of the host', () => {
  it('says which step of how many it is at when the data is older', async () => {
    const environment = await testEnvironment();
    const [first, second] = await lackSteps(connect(environment), 2);
    const { said, migrated } = await up(environment);
    expect(migrated).toBe(2);
    // On a busy machine a step may take so long that it says more
    expect(said.filter((line) => !line.includes(' is at statement '))).toEqual([
      `Upgrading the database: step 1 of 2, ${first}`,
      `Upgrading the database: step 2 of 2, ${second}`,
      expect.stringMatching(/^The database is upgraded: 2 steps in \d+ seconds?$/),
    ]);
    expect((await logOf(environment)).trim().split('\n')).toEqual(said);
  });

  it('says nothing when the data is of this version', async () => {
    const environment = await testEnvironment();
    await migrate(connect(environment));
    expect(await up(environment)).toEqual({ said: [], migrated: 0 });
    expect(await logOf(environment)).toBe('');
  });

  it('does not count the steps of a new database', async () => {
    const { said, migrated } = await up(await testEnvironment());
    expect(migrated).toBeGreaterThan(2);
    expect(said).toEqual(['Making the tables of the new database']);
  });

  it('says in one sentence that the data is of a newer version', async () => {
    const environment = await testEnvironment();
    const db = connect(environment);
    await migrate(db);
    await db.query("INSERT INTO schema_migrations (name) VALUES ('29991231-of-tomorrow.ts')");
    const sentence =
      'The database was used by a newer version of Selvage. Start that version again, or restore a backup of this one. (unknown: 29991231-of-tomorrow.ts)';
    await expect(up(environment)).rejects.toThrow(sentence);
    expect(await logOf(environment)).toBe(`${sentence}\n`);
  });

  it('neither shows nor logs the password that it generates', async () => {
    const environment = await testEnvironment({ SELVAGE_ADMIN_PASSWORD: '' });
    await migrate(connect(environment));
    const { said } = await up(environment);
    expect(said).toEqual([]);
    expect(await logOf(environment)).not.toContain('password');
  });
});

describe('a long step', () => {
  it('says at which statement it is', async () => {
    const environment = await testEnvironment();
    const db = connect(environment);
    const { lacking, table } = await latestStepThatEndsWithAlter();
    await lackSteps(db, lacking);
    // The last statement of the step waits for readers of its table
    const reader = await connect(environment).transaction();
    await db.query(`SELECT * FROM ${table} LIMIT 1`, { transaction: reader });
    const said: string[] = [];
    const upgrading = migrate(connect(environment), { say: (line) => said.push(line), everyMs: 50 });
    try {
      await expect
        .poll(() => said.join('\n'))
        .toMatch(/step 1 of \d+ is at statement (\d+) of \1, after \d+ seconds?$/m);
    } finally {
      await reader.rollback();
    }
    expect(await upgrading).toBe(lacking);
    expect(said.at(-1)).toMatch(/^The database is upgraded: \d+ steps? in/);
  });
});

/**
 * How many steps back it is, counted from 1, and the table that its last statement is the only one
 * to change.
 */
async function latestStepThatEndsWithAlter(): Promise<{ lacking: number; table: string }> {
  for (const [index, name] of (await readdir(migrations)).toSorted().toReversed().entries()) {
    const { statements } = (await import(pathToFileURL(join(migrations, name)).href)) as { statements: unknown[] };
    const changed = statements.map((statement) => /^ALTER TABLE (\w+)/.exec(String(statement))?.[1]);
    const table = changed.pop();
    if (table !== undefined && !changed.includes(table)) return { lacking: index + 1, table };
  }
  throw new Error('no step ends with a change of a table');
}
