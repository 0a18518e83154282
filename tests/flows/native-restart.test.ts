import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RestartDto } from '@selvage/core/contracts/environment';
import { beforeAll, describe, expect, it } from 'vitest';
import { ApiClient } from '../support/api-client.ts';
import { mailDoors, probeDoors, type Seen, webDoor } from '../support/door-probe.ts';
import { buildCompany, buildMailbox, type Tenant } from '../support/factories.ts';
import { isAlive } from '../support/is-alive.ts';
import { survive } from '../support/load.ts';
import { type NativeHost, type NativeProgram, startNativeHost } from '../support/native-host.ts';
import { prepareSigning } from '../support/signing.ts';
import { plainMessage, SmtpPeer } from '../support/smtp-peer.ts';
import { until } from '../support/until.ts';

/** Longer than a start may hang before the process is killed and started again; milliseconds. */
const startMs = 250_000;
const names: NativeProgram[] = ['workers', 'mta-inbound', 'mta-submission', 'admin-api'];
let host: NativeHost;
let tenant: Tenant;
let admin: ApiClient;

beforeAll(async () => {
  host = await startNativeHost({
    UNDO_MS: '0',
    PROCESSES_INBOUND: '1',
    PROCESSES_SUBMISSION: '1',
    PROCESSES_WORKERS: '1',
    PROCESSES_API: '1',
  });
  tenant = await buildCompany(host.app);
  await prepareSigning(host, tenant);
  admin = new ApiClient(host);
  await admin.signIn('admin@host.test', 'correct horse battery');
}, 600_000);

const restartDto = () => admin.data<RestartDto>('GET', '/env/restart');
const askRestart = () => admin.data<RestartDto>('POST', '/env/restart/pm2');

const doors = () => [webDoor(host.ports.http), ...mailDoors(host.ports)];

/** The last lines of a log, for the report of a failed test. */
const endOf = (name: NativeProgram | 'supervisor') => host.logOf(name).slice(-2000);

/** All processes of the host. */
const all = () => names.flatMap((name) => host.pids()[name]);

/** A restart while mail flows by all doors: no peer is refused, and no message is lost. */
async function restartUnderLoad(name: string, restart: () => Promise<unknown>): Promise<void> {
  const before = all();
  const supervisor = host.stack().pid;
  expect(before).toHaveLength(4);
  let seen: Seen = { answered: {}, failures: [] };
  await survive({ host, tenant }, name, async () => {
    seen = await probeDoors(doors(), restart);
  });
  expect(seen.failures).toEqual([]);
  for (const [door, count] of Object.entries(seen.answered)) expect([door, count > 20]).toEqual([door, true]);
  expect(all()).toHaveLength(4);
  expect(all().filter((pid) => before.includes(pid))).toEqual([]);
  // The restart is done when new processes have taken over; an old one may still be ending
  await until('the old processes have ended', () => !before.some(isAlive));
  expect(host.stack().pid).toBe(supervisor);
  for (const one of names) expect(host.program(one)).toMatchObject({ state: 'ready', restarts: 0 });
}

async function deliver(): Promise<string> {
  const { user } = await buildMailbox(host.app, { tenant });
  const peer = await SmtpPeer.open(host.ports.smtp);
  const message = plainMessage({ from: 'ann@remote.test', to: user.email, subject: 'x' });
  const reply = await peer.deliver('ann@remote.test', user.email, message);
  peer.close();
  return reply;
}

describe('a host of one process of each program', () => {
  it('runs as the supervisor says, and no process stands between', async () => {
    const { code, output } = await host.operate('status');
    expect(code).toBe(0);
    for (const name of names) {
      const [pid] = host.pids()[name];
      expect(output).toMatch(new RegExp(`^  ${name} +ready +${pid}  for \\d+ min, restarted 0x$`, 'm'));
      expect(parentOf(pid ?? 0)).toBe(host.stack().pid);
    }
    const health = await until('it has answered in time', async () => {
      const found = (await (await fetch(`${host.health.inbound}/ready`)).json()) as { checks: Record<string, string> };
      return Object.values(found.checks).every((check) => check === 'ok') && found;
    });
    expect(health).toEqual({
      ok: true,
      checks: { database: 'ok', redis: 'ok' },
      pids: host.pids()['mta-inbound'],
    });
    const metrics = await until('the host has been measured', async () => {
      const found = await (await fetch(host.health.workers.replace('/health', '/metrics'))).text();
      return found.includes('selvage_engine_up') && found;
    });
    expect(metrics).toMatch(/^selvage_process_deaths_total 0$/m);
    expect(metrics).toContain('selvage_engine_up{engine="database"} 1');
    expect(await (await fetch(`${host.url}/metrics`)).text()).toContain('selvage_http_request_seconds_count');
  });

  it('is restarted by ./ops/restart, which refuses no peer and loses nothing', { timeout: 600_000 }, async () => {
    let answer: unknown;
    await restartUnderLoad('by hand', async () => {
      answer = await host.operate('restart');
    });
    const output = names.map((name) => `selvage: ${name} runs in a new process\n`).join('');
    expect(answer).toEqual({ code: 0, output });
    const { output: status } = await host.operate('status');
    for (const pid of all()) expect(status).toContain(` ${pid} `);
  });

  it('is restarted from the console, which refuses no peer and loses nothing', { timeout: 600_000 }, async () => {
    await until('all processes have said that they run', async () => {
      const [rows] = await host.app.db.query('SELECT pid FROM host_processes');
      return rows.length === 4;
    });
    await restartUnderLoad('console', async () => {
      expect(await askRestart()).toMatchObject({ state: 'running', total: 4, single: [] });
      await until('it is done', async () => (await restartDto()).state === 'done', 500_000);
    });
    expect(await restartDto()).toMatchObject({ state: 'done', replaced: 4, problem: null });
  });

  it('is restarted at SIGHUP, as a service manager does it', { timeout: 600_000 }, async () => {
    const before = all();
    const { number } = host.stack().restart;
    process.kill(host.stack().pid, 'SIGHUP');
    await until(
      'all are replaced',
      () => host.stack().restart.number > number && host.stack().restart.state === 'done',
      500_000,
    );
    expect(all().filter((pid) => before.includes(pid))).toEqual([]);
  });

  it('goes on with the old processes when new ones do not start', { timeout: 400_000 }, async () => {
    const before = all();
    // Stands for a release that can't start: the database seems to be of a newer version
    await host.app.db.query("INSERT INTO schema_migrations (name) VALUES ('99990101-0000-later.ts')");
    const seen = await probeDoors(doors(), async () => {
      const problem = 'selvage: a new process of workers did not get ready; the old ones go on; see ./ops/logs\n';
      expect(await host.operate('restart')).toEqual({ code: 1, output: problem });
      expect((await askRestart()).state).toBe('running');
      await until('it has failed', async () => (await restartDto()).state === 'failed', 240_000);
    });
    await host.app.db.query("DELETE FROM schema_migrations WHERE name = '99990101-0000-later.ts'");
    expect(seen.failures).toEqual([]);
    expect(all()).toEqual(before);
    expect((await host.operate('status')).code).toBe(0);
    expect(await deliver()).toMatch(/^250/);
  });

  it('starts a process again that was killed, and says so loudly', { timeout: 600_000 }, async () => {
    const before = host.pids();
    await survive({ host, tenant }, 'killed', async () => {
      process.kill(before['mta-inbound'][0] ?? 0, 'SIGKILL');
      await until('it is noticed', () => host.program('mta-inbound').restarts === 1);
      await until(
        () => `it is there again; ${endOf('supervisor')}; ${endOf('mta-inbound')}`,
        () => host.program('mta-inbound').state === 'ready',
        startMs,
      );
    });
    const loud = /^\S+ !! mta-inbound DIED \(signal SIGKILL\); starting it again in 250 ms$/m;
    expect(host.logOf('supervisor')).toMatch(loud);
    expect(host.logOf('supervisor')).toMatch(/^\S+ mta-inbound is healthy again$/m);
    expect(host.logOf('mta-inbound')).toContain('"msg":"A PROCESS DIED and is started again"');
    const { output } = await host.operate('status');
    expect(output).toMatch(/^ {2}mta-inbound +ready +\d+ {2}for \d+ min, restarted 1x$/m);
    const { 'mta-inbound': inbound, ...others } = host.pids();
    expect(before).toMatchObject(others);
    expect(inbound).not.toEqual(before['mta-inbound']);
    const metrics = await (await fetch(host.health.inbound.replace('/health', '/metrics'))).text();
    expect(metrics).toMatch(/^selvage_process_deaths_total 1$/m);
  });

  it('ends with a supervisor that is killed, loses nothing, and can be started again', {
    timeout: 600_000,
  }, async () => {
    const { pid, processes } = host.stack();
    const left = () => processes.flatMap(({ name, pids }) => (pids.some(isAlive) ? [name] : []));
    await survive(
      { host, tenant },
      'supervisor',
      async () => {
        process.kill(pid, 'SIGKILL');
        const what = () => `all that it started is gone; ${left().join(', ')} is left`;
        await until(what, () => left().length === 0, 60_000);
        expect((await host.operate('status')).code).toBe(3);
        expect(await host.operate('up', '--detach')).toMatchObject({ code: 0 });
      },
      { mayRepeat: true },
    );
    expect(host.stack().pid).not.toBe(pid);
    expect((await host.operate('status')).code).toBe(0);
  });

  it('is stopped in order by Ctrl-C, which each process hears', { timeout: 400_000 }, async () => {
    await host.operate('down');
    const { environment, dataDir } = host;
    // A group of its own, as a shell gives one to a command in the foreground
    const up = spawn(join(import.meta.dirname, '../../ops/up'), { env: environment, detached: true, stdio: 'ignore' });
    const gone = once(up, 'exit');
    await until('it runs', () => host.stack().state === 'running', 150_000);
    const { user } = await buildMailbox(host.app, { tenant });
    const peer = await SmtpPeer.open(host.ports.smtp);
    for (const line of ['MAIL FROM:<ann@remote.test>', `RCPT TO:<${user.email}>`, 'DATA']) await peer.command(line);
    process.kill(-(up.pid ?? 0), 'SIGINT');
    await until('the console ends first', () => host.program('admin-api').state === 'stopped');
    const message = plainMessage({ from: 'ann@remote.test', to: user.email, subject: 'last words' });
    expect(await peer.send(`${message}\r\n.\r\n`)).toMatch(/^250/);
    peer.close();
    expect(await gone).toEqual([0, null]);
    const log = readFileSync(join(dataDir, 'log/mta-inbound.log'), 'utf8');
    const reasons = [...log.matchAll(/"reason":"(\w+)","msg":"stopping"/g)].map(([, reason]) => reason);
    expect(reasons.at(-1)).toBe('SIGTERM');
    expect(reasons).not.toContain('SIGINT');
    expect(log.trimEnd().split('\n').at(-1)).toContain('"isClean":true,"msg":"stopped"');
    expect(await host.operate('up', '--detach')).toMatchObject({ code: 0 });
  });
});

function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}
