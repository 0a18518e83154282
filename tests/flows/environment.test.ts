import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { RestartDto, VariableDto } from '@selvage/core/contracts/environment';
import { sealVariable } from '@selvage/core/environment/stored-variables';
import { EnvironmentVariable } from '@selvage/core/models/environment-variable';
import { beforeAll, describe, expect, it } from 'vitest';
import { ApiClient } from '../support/api-client.ts';
import { childrenOf } from '../support/children-of.ts';
import { buildCompany, buildMailbox, type Mailbox, type Tenant } from '../support/factories.ts';
import { survive } from '../support/load.ts';
import { prepareSigning } from '../support/signing.ts';
import { plainMessage, SmtpPeer } from '../support/smtp-peer.ts';
import { type ProgramName, startTestHost, type TestHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

const names: ProgramName[] = ['workers', 'inbound', 'submission', 'api'];
let host: TestHost;
let tenant: Tenant;
let ana: Mailbox;
let admin: ApiClient;

beforeAll(async () => {
  host = await startTestHost({
    UNDO_MS: '0',
    PROCESSES_INBOUND: '2',
    PROCESSES_SUBMISSION: '2',
    PROCESSES_WORKERS: '2',
    PROCESSES_API: '2',
  });
  tenant = await buildCompany(host.app);
  await prepareSigning(host, tenant);
  ana = await buildMailbox(host.app, { tenant });
  admin = new ApiClient(host);
  await admin.signIn('admin@host.test', 'correct horse battery');
});

const dataOf = <T>(method: string, path: string, body?: object): Promise<T> =>
  admin.data<T>(method, `/env${path}`, body);

async function isDone(): Promise<boolean> {
  const { state, problem } = await dataOf<RestartDto>('GET', '/restart');
  expect(problem).toBeNull();
  return state === 'done';
}

async function deliver(): Promise<string> {
  const peer = await SmtpPeer.open(host.ports.smtp);
  const to = ana.user.email;
  const reply = await peer.deliver('ann@remote.test', to, plainMessage({ from: 'ann@remote.test', to, subject: 'x' }));
  peer.close();
  return reply;
}

async function sizeAt(port: number): Promise<string | undefined> {
  const peer = await SmtpPeer.open(port, { helo: null });
  const answer = await peer.command('EHLO peer.remote.test');
  peer.close();
  return /SIZE (\d+)/.exec(answer)?.[1];
}

/** A program answers as soon as one of its processes is ready. */
async function untilAllRun(): Promise<void> {
  await until('all processes have said that they run', async () => {
    const [rows] = await host.app.db.query('SELECT pid FROM host_processes');
    const running = names.flatMap((name) => childrenOf(host.pid(name)));
    return rows.length === 8 && (rows as { pid: number }[]).every(({ pid }) => running.includes(pid));
  });
}

describe('a variable that is changed in the console', () => {
  it('is in force after a restart under load, which refuses no peer and loses nothing', {
    timeout: 600_000,
  }, async () => {
    const before = names.flatMap((name) => childrenOf(host.pid(name)));
    await untilAllRun();
    expect(await sizeAt(host.ports.smtp)).toBe('36700160');
    const made = await dataOf<VariableDto>('POST', '/create', { key: 'MAX_MESSAGE_BYTES', value: '1000000' });
    expect(made).toMatchObject({ needs_restart: true, value_in_force: '36700160' });
    let probes = 0;
    const disaster = async (): Promise<void> => {
      const asked = await Promise.all(Array.from({ length: 10 }, () => dataOf<RestartDto>('POST', '/restart/pm2')));
      expect(asked.map(({ state, number, total }) => [state, number, total])).toEqual(
        asked.map(() => ['running', 1, 8]),
      );
      let isOver = false;
      const meanwhile = async (work: () => Promise<void>): Promise<void> => {
        while (!isOver) {
          await work();
          probes += 1;
          // Leaves the processor to the processes that start
          await wait(20);
        }
      };
      await Promise.all([
        meanwhile(async () => expect((await fetch(`${host.url}/health/live`)).status).toBe(200)),
        meanwhile(async () => expect(await deliver()).toMatch(/^250/)),
        meanwhile(async () => expect(await sizeAt(host.ports.submission)).toBeDefined()),
        until('the restart is done', isDone, 500_000).finally(() => {
          isOver = true;
        }),
      ]);
    };
    await survive({ host, tenant }, 'restart', disaster);
    expect(probes).toBeGreaterThan(100);
    const after = names.flatMap((name) => childrenOf(host.pid(name)));
    expect(after).toHaveLength(8);
    expect(after.filter((pid) => before.includes(pid))).toEqual([]);
    for (const port of [host.ports.smtp, host.ports.submission]) expect(await sizeAt(port)).toBe('1000000');
    const list = await dataOf<{ needs_restart: boolean; variables: VariableDto[] }>('GET', '/get/all');
    expect(list.needs_restart).toBe(false);
    expect(list.variables[0]).toMatchObject({ value_in_force: '1000000', source: 'list', needs_restart: false });
  });

  it('does not keep the host from starting when it is not valid any more', async () => {
    await dataOf('POST', '/create', { key: 'SESSION_LIMIT', value: '7' });
    const { secrets } = host.app;
    // As an upgrade would leave it whose schema is another one
    const sealedValue = sealVariable(secrets, 'SESSION_LIMIT', 'seven');
    await EnvironmentVariable.update({ sealedValue }, { where: { name: 'SESSION_LIMIT' } });
    await host.end('api', 'SIGTERM');
    await host.start('api');
    const { variables } = await dataOf<{ variables: VariableDto[] }>('GET', '/get/all');
    expect(variables.find(({ key }) => key === 'SESSION_LIMIT')).toMatchObject({
      problem: 'The value must be a whole number.',
      source: 'default',
      value_in_force: '5',
    });
    expect(readFileSync(join(host.dataDir, 'api.log'), 'utf8')).toContain('"variable":"SESSION_LIMIT"');
    expect(await sizeAt(host.ports.smtp)).toBe('1000000');
  });

  it('ends a restart as failed when new processes do not start, and the old ones go on', {
    timeout: 400_000,
  }, async () => {
    await untilAllRun();
    const old = childrenOf(host.pid('workers'));
    // Stands for a release that can't start: the database seems to be of a newer version
    await host.app.db.query("INSERT INTO schema_migrations (name) VALUES ('99990101-0000-later.ts')");
    expect(await dataOf<RestartDto>('POST', '/restart/pm2')).toMatchObject({ state: 'running', number: 2 });
    await until('it has failed', async () => (await dataOf<RestartDto>('GET', '/restart')).state === 'failed', 240_000);
    expect(await dataOf<RestartDto>('GET', '/restart')).toMatchObject({
      replaced: 0,
      problem: 'A new process of workers did not get ready. The old ones go on.',
    });
    expect(childrenOf(host.pid('workers'))).toEqual(old);
    await host.app.db.query("DELETE FROM schema_migrations WHERE name = '99990101-0000-later.ts'");
    expect(await deliver()).toMatch(/^250/);
  });
});

describe('a program that runs in one process', () => {
  const alone = { PROCESSES_WORKERS: '1' };

  // What replaces the doors is shown above, and each of their processes takes seconds to start
  beforeAll(async () => {
    for (const name of ['inbound', 'submission'] as const) await host.end(name, 'SIGTERM');
  });

  /** Starts the workers anew, and waits until they have said how they run. */
  async function startWorkers(settings: NodeJS.ProcessEnv, isSingle: boolean): Promise<number> {
    await host.end('workers', 'SIGTERM');
    await host.start('workers', settings);
    await until('they have said that they run', async () => {
      const [rows] = await host.app.db.query("SELECT pid FROM host_processes WHERE program = 'workers'");
      return rows.length === 1;
    });
    expect((await dataOf<RestartDto>('GET', '/restart')).single.includes('workers')).toBe(isSingle);
    return host.pid('workers');
  }

  it('is replaced when it has a primary, as in a container', { timeout: 500_000 }, async () => {
    const primary = await startWorkers({ ...alone, PRIMARY_PROCESS: 'true' }, false);
    const old = childrenOf(primary);
    expect(old).toHaveLength(1);
    expect(await dataOf<RestartDto>('POST', '/restart/pm2')).toMatchObject({ state: 'running', number: 3, total: 3 });
    await until('the restart is done', isDone, 400_000);
    expect(host.pid('workers')).toBe(primary);
    expect(childrenOf(process.pid)).toContain(primary);
    expect(childrenOf(primary)).toHaveLength(1);
    expect(childrenOf(primary)).not.toEqual(old);
  });

  it('ends in order without one, for whatever supervises it to start it again', { timeout: 500_000 }, async () => {
    const pid = await startWorkers(alone, true);
    expect(childrenOf(pid)).toEqual([]);
    expect(await dataOf<RestartDto>('POST', '/restart/pm2')).toMatchObject({ state: 'running', number: 4, total: 3 });
    await until('it has ended', () => !childrenOf(process.pid).includes(pid), 120_000);
    expect(await dataOf<RestartDto>('GET', '/restart')).toMatchObject({ state: 'running', program: 'workers' });
    await host.start('workers', alone);
    await until('the restart is done', isDone, 400_000);
  });
});
