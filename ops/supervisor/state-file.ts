import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ManagedState } from './managed.ts';

/** The warning of `./ops/up` and `./ops/status` when Redis does not answer. */
export const redisIsAway = 'Redis does not answer: people can’t log in until it does';

export type StackState = 'starting' | 'running' | 'stopping';

/** The content of `SELVAGE_DATA/run/supervisor.json`, which the other commands read. */
export interface StackReport {
  pid: number;
  /**
   * When the kernel started that process, in its clock ticks. It tells the supervisor from a later
   * process with the same number.
   */
  startedAtTicks: string;
  state: StackState;
  url: string;
  /** Whether a program reports that Redis does not answer. */
  isRedisAway: boolean;
  processes: ProcessReport[];
  restart: RestartReport;
}

/** An engine, or all processes of a program. */
export interface ProcessReport {
  name: string;
  state: ManagedState;
  pids: number[];
  /** How many of its processes ended by themselves and were started again. */
  restarts: number;
  /** Milliseconds since 1970. */
  since: number;
  /** Facts about its configuration. */
  detail?: string | undefined;
}

/** The last rolling restart that was asked of the supervisor. */
export interface RestartReport {
  /** How many there have been. */
  number: number;
  state: 'running' | 'done' | 'failed';
  /** The programs whose processes have been replaced so far. */
  replaced: string[];
  /** Why it has failed. */
  problem: string | null;
}

const reportPath = (dataDir: string) => join(dataDir, 'run', 'supervisor.json');
const pidPath = (dataDir: string) => join(dataDir, 'run', 'supervisor.pid');

export function startTicks(pid: number): string | null {
  try {
    const fields = statOf(pid);
    return fields[0] === 'Z' ? null : (fields[19] ?? null);
  } catch {
    // No such process
    return null;
  }
}

/** Whether this process has a controlling terminal, which sends SIGHUP when it closes. */
export function hasTerminal(): boolean {
  return statOf(process.pid)[4] !== '0';
}

/** The fields of `/proc/PID/stat` from the third one, the state, on. */
function statOf(pid: number): string[] {
  // The name in the second field may hold spaces and brackets, so count from the last bracket
  return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
}

/** The stack that runs in a data directory now, or null. */
export function readRunningStack(dataDir: string): StackReport | null {
  try {
    const report = JSON.parse(readFileSync(reportPath(dataDir), 'utf8')) as StackReport;
    return startTicks(report.pid) === report.startedAtTicks ? report : null;
  } catch {
    // Never started here, or stopped in order
    return null;
  }
}

export function writeReport(dataDir: string, report: StackReport): void {
  const path = reportPath(dataDir);
  writeFileSync(`${path}.new`, JSON.stringify(report, null, 2), { mode: 0o644 });
  renameSync(`${path}.new`, path);
  writeFileSync(pidPath(dataDir), `${report.pid}\n`);
}

export function removeReport(dataDir: string): void {
  rmSync(reportPath(dataDir), { force: true });
  rmSync(pidPath(dataDir), { force: true });
}
