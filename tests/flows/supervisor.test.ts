import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  readRunningStack,
  type StackReport,
  type StackState,
  startTicks,
  writeReport,
} from '../../ops/supervisor/state-file.ts';
import { isAlive } from '../support/is-alive.ts';
import { mountSmallDisk } from '../support/small-disk.ts';
import { type RunningCommand, startCommand } from '../support/start-command.ts';
import { testEnvironment } from '../support/test-app.ts';
import { surroundings } from '../support/test-host.ts';
import { until } from '../support/until.ts';

const ends: (() => Promise<unknown> | void)[] = [];

afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

/** The settings of a host that was never started, with engines that the test has. */
async function newHost(more: NodeJS.ProcessEnv = {}): Promise<NodeJS.ProcessEnv & { SELVAGE_DATA: string }> {
  const { settings, stop } = await surroundings();
  ends.push(stop);
  const processes = { PROCESSES_INBOUND: '1', PROCESSES_SUBMISSION: '1', PROCESSES_WORKERS: '1', PROCESSES_API: '1' };
  const dataDir = await mkdtemp(join(tmpdir(), 'selvage-supervised-'));
  ends.push(() => rm(dataDir, { recursive: true, force: true }));
  const environment = { ...(await testEnvironment()), ...settings, ...processes, SELVAGE_DATA: dataDir, ...more };
  return { ...environment, SELVAGE_DATA: more['SELVAGE_DATA'] ?? dataDir };
}

/** `./ops/up` in the foreground; it ends with the test file at the latest. */
function up(environment: NodeJS.ProcessEnv): RunningCommand {
  const running = startCommand('ops/supervisor/main.ts', [], environment);
  ends.push(async () => {
    running.child.kill('SIGTERM');
    await running.ended;
  });
  return running;
}

/** A process that has claimed the data directory, as a backup of a host that is down does. */
async function claimElsewhere(dataDir: string): Promise<ChildProcess> {
  const program = `import { claimDataDir } from ${JSON.stringify(import.meta.resolve('../../ops/supervisor/claim.ts'))};
    console.log(await claimDataDir(${JSON.stringify(dataDir)}));
    setInterval(() => undefined, 60_000);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  ends.push(() => void child.kill('SIGKILL'));
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  expect(said.toString()).toBe('true\n');
  return child;
}

async function untilSaid({ child, output }: RunningCommand, text: string): Promise<void> {
  const isOver = () => output().includes(text) || child.exitCode !== null;
  await until(() => `"${text}" is said: ${output()}`, isOver, 180_000);
  expect(output()).toContain(text);
}

/** All logs of a host. */
async function logsOf(dataDir: string): Promise<string> {
  const names = await readdir(join(dataDir, 'log'));
  return names.map((name) => readFileSync(join(dataDir, 'log', name), 'utf8')).join('\n');
}

const password = /^ {2}password {7}(\S+) {3}\(good for one login/m;

describe('./ops/up', () => {
  it('waits for a command that works on the host, and goes on when that has ended', async () => {
    const environment = await newHost();
    // The start ends with this, without an engine
    const taken = createServer().listen(Number(environment['HTTP_PORT']), '127.0.0.1');
    const other = await claimElsewhere(environment.SELVAGE_DATA);
    const start = up(environment);
    await untilSaid(start, `selvage: another command works on ${environment.SELVAGE_DATA}, such as a backup; waiting`);
    expect(start.child.exitCode).toBeNull();
    other.kill('SIGKILL');
    expect(await start.ended).toMatchObject({ code: 1, output: expect.stringContaining('already in use') });
    expect(start.output().match(/another command/g)).toHaveLength(1);
    taken.close();
  });

  it('waits for a host that is going down, and says what is true of one that is up or starting', async () => {
    const environment = await newHost();
    const dataDir = environment.SELVAGE_DATA;
    const taken = createServer().listen(Number(environment['HTTP_PORT']), '127.0.0.1');
    const other = await claimElsewhere(dataDir);
    await mkdir(join(dataDir, 'run'));
    const report = (state: StackState): void => {
      const { pid = 0 } = other;
      const restart = { number: 0, state: 'done' as const, replaced: [], problem: null };
      const startedAtTicks = startTicks(pid) ?? '';
      writeReport(dataDir, { pid, startedAtTicks, state, url: '', isRedisAway: false, processes: [], restart });
    };
    report('running');
    expect(await up(environment).ended).toMatchObject({ code: 0, output: expect.stringContaining('already running') });
    report('starting');
    const second = await up(environment).ended;
    expect(second).toMatchObject({ code: 1, output: expect.stringContaining('another command is starting it') });
    report('stopping');
    const start = up(environment);
    await untilSaid(start, `selvage: the host in ${dataDir} is going down; waiting until it is down`);
    expect(start.child.exitCode).toBeNull();
    other.kill('SIGKILL');
    expect(await start.ended).toMatchObject({ code: 1, output: expect.stringContaining('already in use') });
    taken.close();
  });

  it('tells the first password once, also where the start is broken off, and writes it into no log', async () => {
    const environment = await newHost();
    delete environment['SELVAGE_ADMIN_PASSWORD'];
    const first = up(environment);
    await untilSaid(first, 'selvage: starting workers');
    expect(first.output()).not.toMatch(password);
    first.child.kill('SIGINT');
    expect((await first.ended).code).toBe(0);
    const [, told = ''] = password.exec(first.output()) ?? [];
    expect(told).toMatch(/^[\w-]{20}$/);
    expect(first.output().split(told)).toHaveLength(2);

    const second = up(environment);
    await untilSaid(second, 'Selvage is up.');
    await untilSaid(second, '  administrator  ');
    expect(second.output()).not.toMatch(password);
    second.child.kill('SIGINT');
    await second.ended;
    expect(await logsOf(environment.SELVAGE_DATA)).not.toContain(told);
  });

  it('brings mail up without a private Redis that can not load its file, says so, and takes it once it can', async () => {
    const environment = await newHost();
    delete environment['REDIS_URL'];
    const { SELVAGE_DATA: dataDir } = environment;
    // The account of Redis must be able to enter it
    await chmod(dataDir, 0o755);
    await mkdir(join(dataDir, 'redis'));
    const inTheWay = join(dataDir, 'redis/appendonlydir');
    await writeFile(inTheWay, 'no folder');
    const running = up(environment);
    await untilSaid(running, 'selvage: !! Redis does not answer: people can’t log in until it does (./ops/logs redis)');
    expect(running.output()).toContain('Selvage is up.');
    const without = 'mail goes on without it, but people can’t log in (./ops/logs redis)';
    expect(running.output()).toContain(`selvage: !! redis does not stay up: ${without}`);
    const status = () => startCommand('ops/supervisor/status.ts', [], environment).ended;
    expect(await status()).toMatchObject({ code: 1, output: expect.stringContaining('!! Redis does not answer') });
    await rm(inTheWay);
    await untilSaid(running, 'selvage: redis is healthy again');
    await until('the host says that it is well', async () => (await status()).code === 0, 60_000);
  });

  it('goes on where its disk is full, and says how the host is as soon as there is room', async ({ skip }) => {
    const disk = mountSmallDisk('64m');
    if (disk === null) return skip('only root may mount a disk');
    ends.push(() => disk.unmount());
    const environment = await newHost({ SELVAGE_DATA: disk.path });
    const start = up(environment);
    await untilSaid(start, 'Selvage is up.');
    const report = (): StackReport | null => readRunningStack(disk.path);
    const workers = () => report()?.processes.find(({ name }) => name === 'workers');
    const [before = 0] = workers()?.pids ?? [];
    await disk.fill();
    process.kill(before, 'SIGKILL');
    await untilSaid(start, 'the state of the host could not be written');
    await untilSaid(start, 'workers is healthy again');
    expect(start.child.exitCode).toBeNull();
    await disk.makeRoom();
    await until('the report has the new process', () => {
      const { state, pids = [] } = workers() ?? {};
      return state === 'ready' && !pids.includes(before) && pids.every(isAlive);
    });
    start.child.kill('SIGTERM');
    expect((await start.ended).code).toBe(0);
    expect(report()).toBeNull();
  });
});
