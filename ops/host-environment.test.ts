import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { withDatabase } from './host-environment.ts';
import { claimDataDir } from './supervisor/claim.ts';

it('lets no restore begin in a data directory that is in use, also with a database elsewhere', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'selvage-claimed-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const env = { SELVAGE_DATA: dataDir, DATABASE_URL: 'mysql://a:b@127.0.0.1:9/selvage' };
  expect(await withDatabase(env, { isThere: false }, () => Promise.resolve('begun'))).toBe('begun');
  expect(await claimDataDir(dataDir)).toBe(false);
  const again = withDatabase(env, { isThere: false }, () => Promise.resolve('begun'));
  await expect(again).rejects.toThrow('another command works on it');
});
