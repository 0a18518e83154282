import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../tests/support/start-command.ts';

it('compares the SHA-256 that the console showed also where it only checks an archive', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'selvage-archive-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const path = join(directory, 'loom.tar');
  await writeFile(path, 'not an archive');
  const digest = createHash('sha256').update('not an archive').digest('hex');
  const check = (sha256: string) => runCommand('ops/restore-company.ts', [path, '--check', '--sha256', sha256], {});
  expect(await check('ab'.repeat(32))).toEqual({
    code: 2,
    output: `selvage: the file has the SHA-256 ${digest}: it is not the archive that was named\n`,
  });
  // The file that was named is read on
  expect(await check(digest.toUpperCase())).toEqual({
    code: 2,
    output: expect.stringContaining('selvage: the archive is cut off'),
  });
});
