import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startTicks } from '../supervisor/state-file.ts';

/** How to recognise an engine that already runs. */
export interface EnginePlace {
  name: string;
  /** Names of its program. */
  programs: string[];
  /** The folder that it works in. */
  folder: string;
  /** How long it may take to end. */
  stopMs: number;
}

const LOOK_MS = 100;

/**
 * Ends an engine that still runs although its supervisor was killed. The kernel has sent it
 * SIGTERM, but MariaDB hangs for ever when it gets that during its start, and a process that is
 * stopped (SIGSTOP) does not act on it. While it runs, a new engine can't open its files. The
 * caller has claimed the data directory, so no supervisor runs there.
 */
export async function endLeftBehind(place: EnginePlace, say: (line: string) => void): Promise<void> {
  for (const pid of findLeft(place)) {
    say(`${place.name} of an earlier start still runs (pid ${pid}): waiting until it has ended`);
    if (await hasEnded(pid, 'SIGTERM', place.stopMs)) continue;
    say(`${place.name} of an earlier start did not end within ${place.stopMs / 1000} s: killed`);
    await hasEnded(pid, 'SIGKILL', place.stopMs);
  }
}

function findLeft({ programs, folder }: EnginePlace): number[] {
  if (!existsSync(folder)) return [];
  const home = realpathSync(folder);
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => isEngine(join('/proc', pid), { programs, home })).map(Number);
}

function isEngine(proc: string, { programs, home }: { programs: string[]; home: string }): boolean {
  try {
    // Redis appends the address on which it listens to its program name
    const [program = ''] = readFileSync(join(proc, 'cmdline'), 'utf8').split(/[\0 ]/);
    return programs.includes(basename(program)) && readlinkSync(join(proc, 'cwd')) === home;
  } catch {
    // It has ended meanwhile, or belongs to another account
    return false;
  }
}

/** Sends a signal, and says whether the process ends within the limit. */
async function hasEnded(pid: number, signal: NodeJS.Signals, limitMs: number): Promise<boolean> {
  const since = startTicks(pid);
  const deadline = performance.now() + limitMs;
  trySignal(pid, signal);
  while (since !== null && startTicks(pid) === since) {
    if (performance.now() > deadline) return false;
    await pause(LOOK_MS);
  }
  return true;
}

function trySignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile
  }
}
