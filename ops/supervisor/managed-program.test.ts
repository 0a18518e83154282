import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { freePorts } from '../../tests/support/free-ports.ts';
import { until } from '../../tests/support/until.ts';
import { ManagedProgram, type ProgramSpec } from './managed-program.ts';

/**
 * A program that listens at PORT, says its number to its peers, and prints what its primary says.
 * Where there is a file BROKEN it can't start, where there is a file HUNG its start never ends, and
 * where there is a file REDIS_AWAY it lacks Redis.
 */
const program = `
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
const { NAME, PORT, BROKEN, HUNG, DEAF, REDIS_AWAY } = process.env;
const checks = () => (existsSync(REDIS_AWAY ?? '') ? { redis: 'failed' } : {});
if (existsSync(BROKEN)) process.exit(7);
const server = createServer((socket) => socket.on('error', () => undefined).end(String(process.pid)));
const end = () => server.close(() => process.exit(0));
process.on('SIGTERM', () => DEAF || end());
process.on('message', (message) => {
  console.log(NAME, process.pid, JSON.stringify(message));
  if (message.type === 'ask_health') process.send({ type: 'health', id: message.id, report: { ok: true, checks: checks() } });
  if (message.type === 'ask_metrics') process.send({ type: 'metrics', id: message.id, metrics: [] });
  if (message.type === 'replaced') end();
});
if (!existsSync(HUNG ?? '')) server.listen(Number(PORT), '127.0.0.1', () => {
  process.send({ type: 'counts', door: 'door', changes: [[NAME, 1]] });
  process.send({ type: 'ready' });
});
`;

/** A machine that is busy with other tests takes long to start a process. */
const patientMs = 40_000;

let dir: string;
let broken: string;
let port: number;
let healthPort: number;
let printed: Record<string, string>;
const said: string[] = [];
const changed = vi.fn<() => void>();
const started: ManagedProgram[] = [];

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'selvage-program-'));
  writeFileSync(join(dir, 'program.mjs'), program);
  broken = join(dir, 'broken');
});

beforeEach(async () => {
  [port, healthPort] = (await freePorts(2)) as [number, number];
  printed = {};
  said.length = 0;
});

afterEach(async () => {
  await Promise.all(started.splice(0).map((one) => one.stop(100)));
  rmSync(broken, { force: true });
});

afterAll(() => rmSync(dir, { recursive: true }));

async function launch(
  overrides: Partial<ProgramSpec> = {},
  variables: NodeJS.ProcessEnv = {},
): Promise<ManagedProgram> {
  const name = overrides.name ?? 'fixture';
  const environment = { NAME: name, PORT: String(port), BROKEN: broken, ...variables };
  const spec: ProgramSpec = {
    name,
    count: 1,
    start: { exec: join(dir, 'program.mjs'), environment },
    health: null,
    startMs: patientMs,
    stopMs: 5_000,
    ...overrides,
  };
  const log = { write: (bytes: Uint8Array | string) => void (printed[name] = (printed[name] ?? '') + String(bytes)) };
  const managed = new ManagedProgram(spec, {
    log: { ...log, close: () => undefined },
    say: (line) => said.push(line),
    changed,
  });
  started.push(managed);
  await managed.start();
  return managed;
}

/** What a peer of the port hears; rejects when it is refused. */
function ask(): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('data', (bytes) => resolve(bytes.toString()));
    socket.on('close', () => reject(new Error('closed')));
    socket.on('error', reject);
  });
}

/** The answers while some work is done. Asks all the time, and rejects at the first refusal. */
async function askDuring(work: Promise<unknown>): Promise<Set<string>> {
  let isOver = false;
  const answers = new Set<string>();
  const over = work.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    answers.add(await ask());
  }
  await over;
  return answers;
}

describe('a program of one process', () => {
  it('is ready once its process says so', async () => {
    const managed = await launch();
    expect([managed.state, managed.pids.length]).toEqual(['starting', 1]);
    await managed.untilReady(patientMs);
    expect(await ask()).toBe(String(managed.pids[0]));
  });

  it('is replaced while its port stays open', async () => {
    const managed = await launch();
    await managed.untilReady(patientMs);
    const [old] = managed.pids;
    const replaced = managed.replace();
    const answers = await askDuring(replaced);
    expect(await replaced).toBe(true);
    expect(managed.pids).not.toContain(old);
    // The new process may answer before it counts as ready
    expect([...answers]).toContain(String(old));
    expect(await ask()).toBe(String(managed.pids[0]));
    expect([managed.state, managed.restarts]).toEqual(['ready', 0]);
    expect(said).toEqual([]);
  });

  it('goes on as it is when a new process does not start', async () => {
    const managed = await launch();
    await managed.untilReady(patientMs);
    const { pids } = managed;
    writeFileSync(broken, '');
    expect(await managed.replace()).toBe(false);
    expect(managed.pids).toEqual(pids);
    expect(await ask()).toBe(String(pids[0]));
    await until('it hears of it', () => (printed['fixture'] ?? '').includes('"replace_failed"'));
    expect(printed['fixture']).toContain('its replacement did not get ready');
  });

  it('is started again when it was killed, and says so loudly', async () => {
    const managed = await launch();
    await managed.untilReady(patientMs);
    const [old] = managed.pids;
    process.kill(old ?? 0, 'SIGKILL');
    await until('it is there again', () => said.includes('fixture is healthy again'));
    expect(managed.pids).not.toContain(old);
    expect([managed.state, managed.restarts]).toEqual(['ready', 1]);
    expect(said).toEqual(['!! fixture DIED (signal SIGKILL); starting it again in 250 ms', 'fixture is healthy again']);
    expect(printed['fixture']).toContain('A PROCESS DIED and is started again');
  });

  it('is killed and started again when its start hangs, each time with more patience', {
    timeout: 150_000,
  }, async () => {
    const hung = join(dir, 'hung');
    writeFileSync(hung, '');
    const exec = join(dir, 'program.mjs');
    const environment = { NAME: 'fixture', PORT: String(port), BROKEN: broken, HUNG: hung };
    const managed = await launch({ start: { exec, environment, hungMs: 1000 } });
    const [old] = managed.pids;
    await until('it was killed twice', () => managed.restarts > 1);
    rmSync(hung);
    await managed.untilReady(100_000);
    expect(managed.pids).not.toContain(old);
    expect(said[0]).toBe('!! fixture DIED (signal SIGKILL); starting it again in 250 ms');
    const limits = [...(printed['fixture'] ?? '').matchAll(/"limitMs":(\d+).*not get ready and is killed/g)];
    expect(limits.slice(0, 2).map(([, limit]) => limit)).toEqual(['1000', '2000']);
  });

  it('is replaced at once when it waits for its next start', async () => {
    const managed = await launch();
    await managed.untilReady(patientMs);
    writeFileSync(broken, '');
    process.kill(managed.pids[0] ?? 0, 'SIGKILL');
    await until('it has died twice and waits', () => managed.restarts > 1 && managed.state === 'backoff');
    rmSync(broken);
    expect(await managed.replace()).toBe(true);
    await managed.untilReady(patientMs);
    expect(await ask()).toBe(String(managed.pids[0]));
  });

  it('does not stay up when it can’t start', async () => {
    writeFileSync(broken, '');
    const managed = await launch();
    await expect(managed.untilReady(patientMs)).rejects.toThrow('does not stay up');
    await managed.stop();
    expect([managed.state, managed.pids]).toEqual(['stopped', []]);
  });

  it('ends when it is told to, or is killed', async () => {
    const managed = await launch({ count: 2 }, { DEAF: 'yes' });
    await managed.untilReady(patientMs);
    const { pids } = managed;
    await managed.stop(50);
    expect(said).toEqual(['fixture did not stop within 0.05 s: killed']);
    expect(managed.pids).toEqual([]);
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  it('answers for its health and its metrics', async () => {
    const managed = await launch({ health: { port: healthPort, host: '127.0.0.1' } });
    await managed.untilReady(patientMs);
    const at = `http://127.0.0.1:${healthPort}`;
    const ready = async () => (await fetch(`${at}/health/ready`)).status;
    expect(await (await fetch(`${at}/health/ready`)).json()).toEqual({ ok: true, checks: {}, pids: managed.pids });
    // It stays away until it was seen so
    writeFileSync(broken, '');
    process.kill(managed.pids[0] ?? 0, 'SIGKILL');
    await until('it is away', async () => (await ready()) === 503);
    rmSync(broken);
    await until('it is there', async () => (await ready()) === 200);
    expect(managed.restarts).toBeGreaterThan(0);
    const metrics = await (await fetch(`${at}/metrics`)).text();
    expect(metrics.split('\n')).toContain(`selvage_process_deaths_total ${managed.restarts}`);
  });
});

describe('programs of several processes', () => {
  it('work on while one of them is away', async () => {
    const managed = await launch({ count: 2 });
    await managed.untilReady(patientMs);
    const [old] = managed.pids;
    process.kill(old ?? 0, 'SIGKILL');
    await until('it has died', () => managed.restarts === 1);
    expect(managed.state).toBe('ready');
    // The one that stayed, or on a slow machine its new neighbour
    const answer = await ask();
    expect(managed.pids.map(String)).toContain(answer);
    await until('another one is there', () => managed.pids.length === 2);
    expect(managed.pids).not.toContain(old);
  });

  it('are ready without Redis, and say that it is away', async () => {
    const away = join(dir, 'redis-away');
    writeFileSync(away, '');
    const managed = await launch({ count: 2 }, { REDIS_AWAY: away });
    await managed.untilReady(patientMs);
    expect(managed.isRedisAway).toBe(true);
    changed.mockClear();
    rmSync(away);
    await until('it is there', () => !managed.isRedisAway);
    expect(changed).toHaveBeenCalledOnce();
  });

  it('are told apart by their primary', async () => {
    const one = await launch({ name: 'one', count: 2 });
    port = (await freePorts(1))[0] ?? 0;
    const other = await launch({ name: 'other', count: 2 });
    await Promise.all([one, other].map((managed) => managed.untilReady(patientMs)));
    const [gone] = one.pids;
    process.kill(gone ?? 0, 'SIGKILL');
    await until('its own kind hears of it', () => (printed['one'] ?? '').includes('"gone"'));
    await until('the other kind has counted', () => (printed['other'] ?? '').includes('[["other",1]]'));
    expect(printed['one']).toContain('[["one",1]]');
    expect(printed['one']).not.toContain('[["other",1]]');
    expect(printed['other']).not.toContain('[["one",1]]');
    expect(printed['other']).not.toContain('"gone"');
    expect(other.restarts).toBe(0);
    const { pids } = other;
    expect(await one.replace()).toBe(true);
    expect(other.pids).toEqual(pids);
  });
});
