import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mysql from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Engines, startEngines } from './engines.ts';
import { findProgram } from './engines/identity.ts';
import { bufferPoolMegabytes } from './engines/mariadb.ts';

const installed = findProgram(['mariadbd']) !== null && findProgram(['redis-server', 'valkey-server']) !== null;

describe.skipIf(!installed)('private engines', () => {
  let dataDir: string;
  let engines: Engines;

  beforeAll(async () => {
    dataDir = join(mkdtempSync(join(tmpdir(), 'selvage-engines-')), 'data');
    // mkdtemp closes its folder to other accounts, but the engines' accounts must enter it
    chmodSync(join(dataDir, '..'), 0o755);
    engines = await startEngines({ dataDir });
  }, 90_000);

  afterAll(async () => {
    await engines.stop();
    rmSync(join(dataDir, '..'), { recursive: true });
  }, 90_000);

  it('accept the generated password, and commit to disk before they answer', async () => {
    const url = new URL(engines.databaseUrl);
    const connection = await mysql.createConnection({
      socketPath: url.searchParams.get('socket') ?? '',
      user: url.username,
      password: url.password,
      database: url.pathname.slice(1),
    });
    const [rows] = await connection.query('SELECT @@innodb_flush_log_at_trx_commit AS flush, DATABASE() AS name');
    await connection.end();
    expect(rows).toEqual([{ flush: 1, name: 'selvage' }]);
  });

  it('size the database for the memory of the machine, unless the operator says otherwise', () => {
    const gigabyte = 2 ** 30;
    expect([0.5, 2, 24, 512].map((size) => bufferPoolMegabytes('', size * gigabyte))).toEqual([128, 256, 3072, 8192]);
    expect(bufferPoolMegabytes('700', gigabyte)).toBe(700);
    expect(() => bufferPoolMegabytes('2g', gigabyte)).toThrow(
      'DATABASE_BUFFER_MB is a number of megabytes, 16 at least, and not 2g',
    );
    const mariadb = engines.processes.find(({ spec }) => spec.name === 'mariadb');
    expect(mariadb?.spec.detail).toBe(`${bufferPoolMegabytes()} MB for tables and indexes`);
  });

  it('give the database all the time that a recovery takes, and Redis a minute', () => {
    const limits = engines.processes.map(({ spec }) => [spec.name, spec.startMs]);
    expect(limits).toEqual([
      ['mariadb', Number.POSITIVE_INFINITY],
      ['redis', 60_000],
    ]);
  });

  it('keep the secrets readable for their own account only', () => {
    expect(statSync(join(dataDir, 'secrets')).mode & 0o777).toBe(0o700);
    expect(statSync(join(dataDir, 'secrets', 'database-password')).mode & 0o777).toBe(0o600);
  });

  it('come back by themselves after a kill', async () => {
    const redis = engines.processes.find((engine) => engine.spec.name === 'redis');
    const first = redis?.pid ?? 0;
    process.kill(first, 'SIGKILL');
    await expect.poll(() => redis?.restarts, { timeout: 10_000 }).toBe(1);
    await redis?.untilReady(20_000);
    expect(redis?.pid).not.toBe(first);
  }, 40_000);
});
