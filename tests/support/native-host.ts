import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { loadConfig } from '@selvage/core/process/config';
import { startApp, stopApp } from '@selvage/core/startup/start-app';
import { afterAll } from 'vitest';
import { type ProcessReport, readRunningStack, type StackReport } from '../../ops/supervisor/state-file.ts';
import { compileCache } from './compile-cache.ts';
import { type ReachableHost, surroundings } from './test-host.ts';

const root = join(import.meta.dirname, '../..');
const programs = ['workers', 'mta-inbound', 'mta-submission', 'admin-api'] as const;
export type NativeProgram = (typeof programs)[number];

interface Answer {
  code: number | null;
  output: string;
}

/** A whole host under its supervisor, with separate engines, as `./ops/up --detach` runs it. */
export interface NativeHost extends ReachableHost {
  environment: NodeJS.ProcessEnv;
  /** Runs a command of `ops` as an operator does. */
  operate(command: string, ...args: string[]): Promise<Answer>;
  /** The supervisor's report. */
  stack(): StackReport;
  /** The supervisor's report on one program. */
  program(name: NativeProgram): ProcessReport;
  /** The processes of all programs, by program. */
  pids(): Record<NativeProgram, number[]>;
  logOf(name: NativeProgram | 'supervisor'): string;
}

const stops: (() => Promise<void>)[] = [];

afterAll(async () => {
  for (const stop of stops.splice(0)) await stop();
}, 120_000);

/** Starts a host for one test file. It ends with the file. */
export async function startNativeHost(overrides: NodeJS.ProcessEnv = {}): Promise<NativeHost> {
  const { stop, settings, ...around } = await surroundings();
  const dataDir = await mkdtemp(join(tmpdir(), 'selvage-native-'));
  const { PATH, HOME } = process.env;
  const environment: NodeJS.ProcessEnv = {
    PATH,
    HOME,
    ...settings,
    SELVAGE_DATA: dataDir,
    NODE_COMPILE_CACHE: compileCache,
    SELVAGE_HOSTNAME: 'host.test',
    SELVAGE_ADMIN_EMAIL: 'admin@host.test',
    SELVAGE_ADMIN_PASSWORD: 'correct horse battery',
    DATABASE_BUFFER_MB: '128',
    // The test's remote mail server is on loopback
    OUTBOUND_ALLOW_PRIVATE: 'true',
    ...overrides,
  };
  const operate = (command: string, ...args: string[]) => run(join(root, 'ops', command), args, environment);
  stops.push(async () => {
    const down = await operate('down');
    await stop();
    await rm(dataDir, { recursive: true, force: true });
    if (down.code !== 0) throw new Error(down.output);
  });
  const up = await operate('up', '--detach');
  if (up.code !== 0) throw new Error(up.output);
  const app = await startApp(loadConfig({ ...environment, LOG_LEVEL: 'error' }), { role: 'migrate' });
  stops.unshift(() => stopApp(app));
  return hostOf({ ...around, app, dataDir }, environment, operate);
}

function hostOf(reachable: ReachableHost, environment: NodeJS.ProcessEnv, operate: NativeHost['operate']): NativeHost {
  const { dataDir } = reachable;
  const stack = (): StackReport => {
    const report = readRunningStack(dataDir);
    if (!report) throw new Error(`nothing runs in ${dataDir}`);
    return report;
  };
  const program = (name: NativeProgram): ProcessReport => {
    const report = stack().processes.find((one) => one.name === name);
    if (!report) throw new Error(`there is no ${name}`);
    return report;
  };
  const pids = () =>
    Object.fromEntries(programs.map((name) => [name, program(name).pids])) as Record<NativeProgram, number[]>;
  const logOf = (name: NativeProgram | 'supervisor') => readFileSync(join(dataDir, 'log', `${name}.log`), 'utf8');
  return { ...reachable, environment, operate, stack, program, pids, logOf };
}

async function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Answer> {
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const code = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (status) => resolve(status));
  });
  const [output, errors, status] = await Promise.all([text(child.stdout), text(child.stderr), code]);
  return { code: status, output: output + errors };
}
