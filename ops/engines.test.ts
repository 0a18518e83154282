import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mysql from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAlive } from '../tests/support/is-alive.ts';
import { makeDataDir } from './engines/data-dir.ts';
import { endLeftBehind } from './engines/end-left-behind.ts';
import { type Engines, startEngines } from './engines.ts';
import { findProgram } from './engines/identity.ts';
import { bufferPoolMegabytes, prepareMariadb } from './engines/mariadb.ts';
import { prepareRedis } from './engines/redis.ts';

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

  it('refuse a place with a space in its path, in which MariaDB makes no database', async () => {
    const place = mkdtempSync(join(tmpdir(), 'selvage engines-'));
    try {
      makeDataDir(place);
      await expect(prepareMariadb(place)).rejects.toThrow(
        `MariaDB can't make a database below a path with a space: ${place}; choose another SELVAGE_DATA`,
      );
    } finally {
      rmSync(place, { recursive: true });
    }
  });

  it('give the database all the time that a recovery takes, and Redis a minute', () => {
    const limits = engines.processes.map(({ spec }) => [spec.name, spec.startMs]);
    expect(limits).toEqual([
      ['mariadb', Number.POSITIVE_INFINITY],
      ['redis', 60_000],
    ]);
  });

  it('say that they run as root where their accounts can not enter the folder', async ({ skip }) => {
    if (process.getuid?.() !== 0) return skip('only root starts them under other accounts');
    expect(engines.asRoot).toEqual([]);
    const closed = mkdtempSync(join(tmpdir(), 'selvage-closed-'));
    const redis = await startEngines({ dataDir: join(closed, 'data'), databaseUrl: 'none' });
    await redis.stop();
    rmSync(closed, { recursive: true });
    expect(redis.asRoot).toEqual(['redis']);
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

  it('are ended first where an earlier supervisor has left them behind', async () => {
    const other = mkdtempSync(join(tmpdir(), 'selvage left-'));
    makeDataDir(other);
    // Without what binds it to its parent, as one that heard nothing of the parent's end
    const { args } = prepareRedis(other).spec;
    const [server = ''] = args.filter((word) => word.includes('redis-server') || word.includes('valkey-server'));
    const left = spawn(server, args.slice(args.indexOf(server) + 1), { cwd: other, stdio: 'ignore' });
    const gone = once(left, 'exit');
    const socket = join(other, 'redis', 'redis.sock');
    await expect.poll(() => existsSync(socket), { timeout: 20_000 }).toBe(true);
    const said: string[] = [];
    const again = await startEngines({ dataDir: other, databaseUrl: 'none', say: (line) => said.push(line) });
    await again.stop();
    left.kill('SIGKILL');
    expect(await gone).toEqual([0, null]);
    expect(said).toEqual([`redis of an earlier start still runs (pid ${left.pid}): waiting until it has ended`]);
    rmSync(other, { recursive: true });
  }, 60_000);

  it('start without a Redis that can not load its file, and with it once it can', async () => {
    const other = join(mkdtempSync(join(tmpdir(), 'selvage-broken-')), 'data');
    chmodSync(join(other, '..'), 0o755);
    makeDataDir(other);
    prepareRedis(other);
    // A file is in the place of the folder
    const file = join(other, 'redis', 'appendonlydir');
    writeFileSync(file, 'x');
    const said: string[] = [];
    const started = await startEngines({ dataDir: other, databaseUrl: 'none', say: (line) => said.push(line) });
    expect(said.at(-1)).toBe(
      '!! redis does not stay up: mail goes on without it, but people can’t log in (./ops/logs redis)',
    );
    rmSync(file);
    await started.processes[0]?.untilReady(60_000);
    await started.stop();
    rmSync(join(other, '..'), { recursive: true });
  }, 90_000);

  it('are killed where they do not end', async () => {
    const mariadb = engines.processes.find(({ spec }) => spec.name === 'mariadb');
    const first = mariadb?.pid ?? 0;
    // Stands for one that hangs
    process.kill(first, 'SIGSTOP');
    const said: string[] = [];
    const { place } = await prepareMariadb(dataDir);
    await endLeftBehind({ ...place, stopMs: 500 }, (line) => said.push(line));
    expect(isAlive(first)).toBe(false);
    expect(said).toEqual([
      `mariadb of an earlier start still runs (pid ${first}): waiting until it has ended`,
      'mariadb of an earlier start did not end within 0.5 s: killed',
    ]);
    await expect.poll(() => mariadb?.restarts, { timeout: 20_000 }).toBe(1);
    await mariadb?.untilReady(60_000);
  }, 90_000);
});
