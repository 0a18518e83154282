import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeBackups, makeWhole, readOf } from '../../../tests/support/backups.ts';
import { runCommand } from '../../../tests/support/start-command.ts';
import { testEnvironment } from '../../../tests/support/test-app.ts';
import { loadConfig } from '../process/config.ts';
import { startApp } from './start-app.ts';

let environment: NodeJS.ProcessEnv;
let keyPath: string;
let store: string;

/** One start up to the doors: its status, and the last sentence that the operator reads. */
async function start(host = environment): Promise<{ code: number | null; last: string | undefined }> {
  const { code, output } = await runCommand('core/src/startup/main-migrate.ts', [], host);
  return { code, last: output.split('\n').at(-2) };
}

const nameOf = (directory: string) => readFileSync(join(directory, '.directory'), 'utf8');
const marksOf = (host: NodeJS.ProcessEnv) => readOf(host, 'SELECT key_mark, store_name FROM host_state');
const blobsOf = (host: NodeJS.ProcessEnv) => join(host['SELVAGE_DATA'] ?? '', 'blobs');

beforeEach(async () => {
  environment = await testEnvironment();
  keyPath = join(environment['SELVAGE_DATA'] ?? '', 'secrets', 'secret-key');
  store = blobsOf(environment);
  expect((await start()).code).toBe(0);
});

describe('a start over the database of a host', { timeout: 120_000 }, () => {
  it('is refused with another secret key, until the key is back', async () => {
    renameSync(keyPath, `${keyPath}.away`);
    const refusal = expect.stringContaining(`${keyPath} is not the secret key of this database`);
    expect(await start()).toEqual({ code: 2, last: refusal });
    const given = { ...environment, SELVAGE_SECRET_KEY: 'ab'.repeat(32) };
    expect((await start(given)).last).toMatch(/^SELVAGE_SECRET_KEY is not the secret key of this database/);
    const SELVAGE_SECRET_KEY = readFileSync(`${keyPath}.away`, 'utf8').trim();
    expect((await start({ ...environment, SELVAGE_SECRET_KEY })).code).toBe(0);
    expect((await start({ ...given, ACCEPT_NEW_KEY: 'true' })).code).toBe(0);
    expect((await start(given)).code).toBe(0);
    expect((await start({ ...environment, SELVAGE_SECRET_KEY, ACCEPT_NEW_KEY: 'true' })).code).toBe(0);
    renameSync(`${keyPath}.away`, keyPath);
    expect((await start()).code).toBe(0);
  });

  it('is refused with another blob store, also of one process, until the store is back or gets its name', async () => {
    const name = nameOf(store);
    renameSync(store, `${store}.away`);
    const refusal = expect.stringContaining(`${store} is not the blob store of this database`);
    await expect(startApp(loadConfig(environment), { role: 'inbound' })).rejects.toThrow(
      `${store} is not the blob store`,
    );
    expect(await start()).toEqual({ code: 2, last: refusal });
    writeFileSync(join(store, '.directory'), randomUUID());
    expect(await start()).toEqual({ code: 2, last: refusal });
    writeFileSync(join(store, '.directory'), `${name}\n`);
    expect((await start()).code).toBe(0);
    rmSync(store, { recursive: true });
    renameSync(`${store}.away`, store);
    expect((await start()).code).toBe(0);
  });

  it('notes key and store of a host that comes from an older version', async () => {
    const marks = marksOf(environment);
    expect(marks).toEqual([expect.stringMatching(/^[0-9a-f]{64}\t[0-9a-f-]{36}$/)]);
    readOf(environment, 'UPDATE host_state SET key_mark = NULL, store_name = NULL');
    rmSync(join(store, '.directory'));
    // Stands for a disk on which no file can be made
    mkdirSync(join(store, '.directory'));
    expect((await start()).code).toBe(0);
    expect(marksOf(environment)[0]?.split('\t')[1]).toBe('NULL');
    rmSync(join(store, '.directory'), { recursive: true });
    expect((await start()).code).toBe(0);
    const [key, name] = marksOf(environment)[0]?.split('\t') ?? [];
    expect(key).toBe(marks[0]?.split('\t')[0]);
    expect(name).toBe(nameOf(store));
  });

  it('works where a backup was restored into it, on a new machine as over another host', async () => {
    const backups = await makeBackups();
    await makeWhole(backups, environment);
    const target = await testEnvironment();
    expect((await backups.restore(target)).code).toBe(0);
    expect((await start(target)).code).toBe(0);
    expect(nameOf(blobsOf(target))).not.toBe(nameOf(store));
    const other = await testEnvironment();
    expect((await start(other)).code).toBe(0);
    expect((await backups.restore(other, '--replace')).code).toBe(0);
    expect((await start(other)).code).toBe(0);
    const SELVAGE_SECRET_KEY = readFileSync(keyPath, 'utf8').trim();
    const given = { ...(await testEnvironment()), SELVAGE_SECRET_KEY };
    expect((await backups.restore(given)).code).toBe(0);
    expect((await start(given)).code).toBe(0);
  });
});
