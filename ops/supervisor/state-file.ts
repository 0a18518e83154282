import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessState } from './managed-process.ts';

export type StackState = 'starting' | 'running' | 'stopping';

/** The content of `SELVAGE_DATA/run/supervisor.json`, which the other commands read. */
export interface StackReport {
  pid: number;
  /**
   * When the kernel started that pid. It tells the supervisor from a later process with the same
   * number.
   */
  startedAtTicks: string;
  state: StackState;
  url: string;
  processes: ProcessReport[];
}

export interface ProcessReport {
  name: string;
  state: ProcessState;
  pid: number | null;
  restarts: number;
  /** Milliseconds since 1970. */
  since: number;
  /** How it is set up. */
  detail?: string | undefined;
}

const reportPath = (dataDir: string) => join(dataDir, 'run', 'supervisor.json');
const pidPath = (dataDir: string) => join(dataDir, 'run', 'supervisor.pid');

export function startTicks(pid: number): string | null {
  try {
    // The name in the second field may hold spaces and brackets, so count from the last bracket
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return fields[0] === 'Z' ? null : (fields[19] ?? null);
  } catch {
    // No such process
    return null;
  }
}

/** The processes that a process has started and that still run. */
export function childrenOf(pid: number): number[] {
  try {
    const pids = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    return pids === '' ? [] : pids.split(' ').map(Number);
  } catch {
    // No such process
    return [];
  }
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
