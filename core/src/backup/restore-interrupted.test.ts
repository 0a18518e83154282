import { expect, it } from 'vitest';
import { type Backups, makeBackups, makeWhole, readOf, storeMessages } from '../../../tests/support/backups.ts';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { startCommand } from '../../../tests/support/start-command.ts';
import { startTestApp, testEnvironment } from '../../../tests/support/test-app.ts';
import { until } from '../../../tests/support/until.ts';
import { systemContext } from '../context/context.ts';
import { connectDatabase } from '../database/connect-database.ts';
import { OperatorError } from '../operator-error.ts';
import { loadConfig } from '../process/config.ts';
import { restoreBackup } from './restore-backup.ts';
import { isHalfRestored } from './restore-marker.ts';

const start = (host: NodeJS.ProcessEnv) => startCommand('core/src/startup/main-migrate.ts', [], host).ended;

/** Interrupts a restore with `--replace` at a step. Says whether the host was marked then. */
async function interruptAt(step: string, { directory }: Backups, host: NodeJS.ProcessEnv): Promise<boolean> {
  const config = loadConfig(host);
  const db = connectDatabase({ ...config, databasePool: 4 }, { forSchema: true });
  const stopping = new AbortController();
  const marks: boolean[] = [];
  const at = (what: string) => {
    if (what !== step) return;
    marks.push(isHalfRestored(config));
    stopping.abort(new OperatorError('interrupted'));
  };
  const progress = { say: () => undefined, at };
  const choice = { replaces: true, acceptsLosses: false, sendsOutgoing: false, hasGivenKey: false };
  try {
    const job = { ...choice, config, db, directory, progress, signal: stopping.signal };
    await expect(restoreBackup(job)).rejects.toThrow('interrupted');
  } finally {
    await db.close();
  }
  expect(marks).not.toEqual([]);
  return marks.includes(true);
}

it('an interrupted restore marks an old host only once its database is touched', { timeout: 240_000 }, async () => {
  const environment = await testEnvironment();
  const app = await startTestApp(environment);
  await storeMessages(systemContext(app), await buildMailbox(app), 3);
  const backups = await makeBackups();
  await makeWhole(backups, environment);
  const target = await testEnvironment();
  expect((await start(target)).code).toBe(0);

  expect(await interruptAt('blobs compared', backups, target)).toBe(false);
  expect(await backups.restore(target)).toMatchObject({ code: 2, output: expect.stringContaining('--replace') });
  expect(readOf(target, 'SELECT COUNT(*) FROM users')).toEqual(['1']);
  expect((await start(target)).code).toBe(0);

  expect(await interruptAt('bytes loaded', backups, target)).toBe(true);
  expect(await start(target)).toMatchObject({ code: 2, output: expect.stringContaining('has not ended') });
  await until(
    'the dead restore has left the database',
    async () => (await backups.restore(target)).code === 0,
    100_000,
  );
  expect((await start(target)).code).toBe(0);
});
