import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../tests/support/start-command.ts';

it('lets root send no mail about a second factor on a host that belongs to another account', async ({ skip }) => {
  if (process.getuid?.() !== 0) return skip('only root may give files to another account');
  const dataDir = await mkdtemp(join(tmpdir(), 'selvage-reset-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  await mkdir(join(dataDir, 'secrets'));
  await chown(join(dataDir, 'secrets'), 2, 2);
  const environment = {
    SELVAGE_DATA: dataDir,
    SELVAGE_SECRET_KEY: 'ab'.repeat(32),
    DATABASE_URL: 'mysql://a:b@127.0.0.1:9/selvage',
  };
  expect(await runCommand('ops/reset-password.ts', ['ann@example.com', '--two-factor-off'], environment)).toEqual({
    code: 2,
    output: `selvage: the host in ${dataDir} belongs to the account bin: run this command as that account, with runuser -u bin -- COMMAND\n`,
  });
});
