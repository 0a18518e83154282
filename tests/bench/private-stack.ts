import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readRunningStack } from '../../ops/supervisor/state-file.ts';
import { freePorts } from '../support/free-ports.ts';
import { until } from '../support/until.ts';

const root = join(import.meta.dirname, '../..');
/** The kernel reports processor time in hundredths of a second, whatever its own tick. */
const tickMs = 10;
const signals = ['SIGINT', 'SIGTERM'] as const;

/** A separate stack for one measurement, as `./ops/up` runs one. */
export interface PrivateStack {
  environment: NodeJS.ProcessEnv;
  ports: { http: number; smtp: number; submissions: number };
  /** Milliseconds of processor time so far, by process name. */
  cpuMs(): Record<string, number>;
  stop(): Promise<void>;
}

/** Where a host keeps its data and sends its mail, which no measurement may touch. */
const placesOfHost =
  /^(DATABASE_URL|REDIS_URL|BLOB_STORE|SEARCH_DIRECTORY|ARCHIVE_DIRECTORY|SELVAGE_SECRET_KEY|OUTBOUND_RELAY)(_|$)/;

/**
 * Starts a stack in a new directory. Its settings are those of this process, without the places of
 * another host, and `changes`.
 */
export async function startPrivateStack(changes: NodeJS.ProcessEnv): Promise<PrivateStack> {
  const names = ['HTTP_PORT', 'SMTP_PORT', 'SUBMISSION_PORT', 'SUBMISSIONS_PORT'];
  const health = ['INBOUND_HEALTH_PORT', 'SUBMISSION_HEALTH_PORT', 'WORKERS_HEALTH_PORT'];
  const all = [...names, ...health];
  const numbers = await freePorts(all.length);
  const dataDir = await mkdtemp(join(tmpdir(), 'selvage-bench-'));
  const ports = Object.fromEntries(all.map((name, index) => [name, String(numbers[index])]));
  const given = Object.fromEntries(Object.entries(process.env).filter(([name]) => !placesOfHost.test(name)));
  const environment = { ...given, ...ports, SELVAGE_DATA: dataDir, LOG_LEVEL: 'info', ...changes };
  const supervisor = spawn(process.execPath, [join(root, 'ops/supervisor/main.ts')], {
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  // An interrupted measurement also stops its stack
  const letGo = endWith(supervisor);
  await until('the stack runs', () => isRunning(supervisor, dataDir), 120_000);
  return {
    environment,
    ports: {
      http: Number(ports['HTTP_PORT']),
      smtp: Number(ports['SMTP_PORT']),
      submissions: Number(ports['SUBMISSIONS_PORT']),
    },
    cpuMs: () => {
      const processes = readRunningStack(dataDir)?.processes ?? [];
      // Messages between the processes of a program pass through the supervisor
      const all = [{ name: 'supervisor', pids: [supervisor.pid ?? 0] }, ...processes];
      return Object.fromEntries(all.map(({ name, pids }) => [name, pids.reduce((sum, pid) => sum + cpuOf(pid), 0)]));
    },
    stop: async () => {
      letGo();
      const gone = once(supervisor, 'exit');
      supervisor.kill('SIGTERM');
      await gone;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * Stops the stack when this process gets a signal to end, until the returned function is called.
 */
function endWith(supervisor: ChildProcess): () => void {
  const end = (signal: NodeJS.Signals): void => {
    supervisor.once('exit', () => process.exit(1));
    supervisor.kill(signal);
  };
  for (const signal of signals) process.once(signal, end);
  return () => signals.forEach((signal) => process.off(signal, end));
}

function isRunning(supervisor: ChildProcess, dataDir: string): boolean {
  if (supervisor.exitCode !== null) throw new Error(`the supervisor ended with ${supervisor.exitCode}`);
  return readRunningStack(dataDir)?.state === 'running';
}

/** User and system time of a process with its threads. */
function cpuOf(pid: number, withChildren = false): number {
  try {
    // The name in the second field may contain spaces and brackets, so fields are counted from the
    // last bracket
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    const own = Number(fields[11]) + Number(fields[12]);
    return (withChildren ? own + Number(fields[13]) + Number(fields[14]) : own) * tickMs;
  } catch {
    // The process ended meanwhile, and its parent has counted its time
    return 0;
  }
}

/**
 * Milliseconds of processor time of every process whose command line matches, including children
 * that have ended.
 */
export function cpuOfMatching(pattern: RegExp): number {
  let sum = 0;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid || Number(name) === process.ppid) continue;
    if (pattern.test(commandOf(name))) sum += cpuOf(Number(name), true);
  }
  return sum;
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0] ?? '';
  } catch {
    // The process ended after it was listed
    return '';
  }
}
