import { connectDatabase } from '@selvage/core/database/connect-database';
import { schemaState } from '@selvage/core/database/migrate';
import { loadConfig } from '@selvage/core/process/config';
import { startApp, stopApp } from '@selvage/core/startup/start-app';
import { QueryTypes, type Sequelize } from 'sequelize';
import { afterAll, describe, expect, it } from 'vitest';
import { type RunningCommand, startCommand } from '../support/start-command.ts';
import { surroundings } from '../support/test-host.ts';
import { until } from '../support/until.ts';
import { findFaults } from '../upgrades/check-host.ts';
import { keptVersions, loadKept } from '../upgrades/load-kept.ts';

const program = 'ops/supervisor/main.ts';
const ends: (() => Promise<unknown>)[] = [];

afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

/** The settings of a host on the data that a released version left. */
async function olderHost(): Promise<{ environment: NodeJS.ProcessEnv; db: Sequelize }> {
  const [version = ''] = await keptVersions();
  const kept = await loadKept(version);
  const { settings, stop } = await surroundings();
  const processes = { PROCESSES_INBOUND: '1', PROCESSES_SUBMISSION: '1', PROCESSES_WORKERS: '1', PROCESSES_API: '1' };
  const environment = { ...kept, ...settings, ...processes };
  const db = connectDatabase(loadConfig(environment));
  ends.push(stop, () => db.close());
  return { environment, db };
}

/** `./ops/up` in the foreground; it ends with the test file at the latest. */
function up(environment: NodeJS.ProcessEnv): RunningCommand {
  const running = startCommand(program, [], environment);
  ends.push(async () => {
    running.child.kill('SIGTERM');
    await running.ended;
  });
  return running;
}

/** Reads every table in a transaction: until it ends, no statement changes the form of one. */
async function holdTables(db: Sequelize): Promise<() => Promise<void>> {
  const tables = await db.getQueryInterface().showAllTables();
  const transaction = await db.transaction();
  for (const table of tables) {
    if (!table.startsWith('schema_')) await db.query(`SELECT 1 FROM \`${table}\` LIMIT 1`, { transaction });
  }
  return () => transaction.commit();
}

async function isUpgradeWaiting(db: Sequelize): Promise<boolean> {
  const statement = `SELECT id FROM information_schema.processlist
    WHERE db = DATABASE() AND state LIKE 'Waiting for table metadata lock'`;
  return (await db.query(statement, { type: QueryTypes.SELECT })).length > 0;
}

describe('an upgrade', () => {
  it('that is interrupted with Ctrl-C goes on at the next start, which opens the doors', async () => {
    const { environment, db } = await olderHost();
    const release = await holdTables(db);
    const first = up(environment);
    await until(
      () => `a statement of the upgrade is under way: ${first.output()}`,
      () => isUpgradeWaiting(db),
      120_000,
    );
    first.child.kill('SIGINT');
    expect((await first.ended).code).toBe(0);
    expect(first.output()).toContain('Upgrading the database: step 1 of ');
    expect(first.output()).not.toContain('Selvage is up');

    const second = up(environment);
    // What the first start had begun may still be carried out while the second one looks
    await release();
    const isUp = () => second.output().includes('Selvage is up.') || second.child.exitCode !== null;
    await until(
      () => `the host is up: ${second.output()}`,
      async () => isUp(),
      240_000,
    );
    expect((await schemaState(db)).pending).toEqual([]);
    second.child.kill('SIGINT');
    expect((await second.ended).code).toBe(0);
    const app = await startApp(loadConfig(environment), { role: 'api' });
    ends.push(() => stopApp(app));
    expect(await findFaults(app)).toEqual([]);
  }, 500_000);
});
