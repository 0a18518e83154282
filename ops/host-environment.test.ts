import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { markRestoring } from '@selvage/core/backup/restore-marker';
import { expect, it, onTestFinished } from 'vitest';
import { withDatabase } from './host-environment.ts';
import { claimDataDir } from './supervisor/claim.ts';

async function makeEnvironment(): Promise<{ dataDir: string; env: NodeJS.ProcessEnv }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'selvage-environment-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const SELVAGE_SECRET_KEY = 'ab'.repeat(32);
  return {
    dataDir,
    env: { SELVAGE_DATA: dataDir, DATABASE_URL: 'mysql://a:b@127.0.0.1:9/selvage', SELVAGE_SECRET_KEY },
  };
}

it('lets no restore begin in a data directory that is in use, also with a database elsewhere', async () => {
  const { dataDir, env } = await makeEnvironment();
  expect(await withDatabase(env, { needsHost: false }, () => Promise.resolve('begun'))).toBe('begun');
  expect(await claimDataDir(dataDir)).toBe(false);
  const again = withDatabase(env, { needsHost: false }, () => Promise.resolve('begun'));
  await expect(again).rejects.toThrow('another command works on it');
});

it('lets no command work on a host that is half restored, but another restore', async () => {
  const { dataDir, env } = await makeEnvironment();
  const work = () => Promise.resolve('done');
  expect(await withDatabase(env, { needsHost: true }, work)).toBe('done');
  await markRestoring({ dataDir }, '2026-11-30T02-30-00Z');
  await expect(withDatabase(env, { needsHost: true }, work)).rejects.toThrow('A restore into this host has not ended');
  expect(await withDatabase(env, { needsHost: false }, work)).toBe('done');
});

it('lets root write no files of a host that belongs to another account', async ({ skip }) => {
  if (process.getuid?.() !== 0) return skip('only root may give files to another account');
  const { dataDir, env } = await makeEnvironment();
  await mkdir(join(dataDir, 'secrets'));
  await chown(join(dataDir, 'secrets'), 2, 2);
  const work = () => Promise.resolve('done');
  for (const need of [{ needsHost: true, writesFiles: true }, { needsHost: false }]) {
    await expect(withDatabase(env, need, work)).rejects.toThrow('belongs to the account bin');
  }
  expect(await withDatabase(env, { needsHost: true }, work)).toBe('done');
});
