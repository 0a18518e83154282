import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startTicks } from '../supervisor/state-file.ts';

/** How to recognise an engine that already runs. */
export interface EnginePlace {
  name: string;
  /** Names of its program. */
  programs: string[];
  /** What in its command line names its data directory. Redis rewrites its command line. */
  marks: string[];
  /** How long it may take to end. */
  stopMs: number;
}

const lookMs = 100;

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

function findLeft(place: EnginePlace): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => isEngine(pid, place)).map(Number);
}

/**
 * Says whether a process is this engine, by its command line. In a container, root may not read the
 * working directory of a process that runs as another account.
 */
function isEngine(pid: string, { programs, marks }: EnginePlace): boolean {
  try {
    const line = readFileSync(join('/proc', pid, 'cmdline'), 'utf8').replaceAll('\0', ' ');
    const [program = ''] = line.split(' ');
    // Compared as text, since the path in a mark may have a space
    const isMarked = marks.some((mark) => ` ${line} `.includes(` ${mark} `));
    if (!programs.includes(basename(program)) || !isMarked) return false;
    // A process of a container has a number there too, and its paths are those of the container
    return /^NSpid:\t\d+$/m.test(readFileSync(join('/proc', pid, 'status'), 'utf8'));
  } catch {
    // The process has ended meanwhile
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
    await pause(lookMs);
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
