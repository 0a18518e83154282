import { type HostProcess, type HostState, type ProgramName, programs } from './host-state.ts';

/** The progress of a restart. */
export interface RestartProgress {
  state: 'none' | 'running' | 'done' | 'failed';
  /** How many processes were to be replaced. */
  total: number;
  /** How many of them have a working replacement. */
  replaced: number;
  /** The program whose processes are being replaced; null when none is. */
  turn: ProgramName | null;
}

/** A restart may take as long as `each` for every process, and `least` in any case. */
const limitSeconds = { least: 600, each: 60 };

/**
 * Works out the progress of the last restart from the request and the list of processes. Every
 * process comes to the same answer, so a restart needs no leader, which could be lost.
 */
export function judgeRestart(state: HostState, processes: readonly HostProcess[]): RestartProgress {
  if (state.askedAt === null) return { state: 'none', total: 0, replaced: 0, turn: null };
  const parts = programs.map((program) => {
    const mine = processes.filter((process) => process.program === program);
    const old = mine.filter(({ restart }) => restart < state.restart).length;
    const total = Math.max(state.expected[program] ?? 0, old);
    const isDone = total === 0 || (old === 0 && mine.length > 0);
    // A new process counts as a replacement once an old one has ended
    return { program, total, isDone, replaced: isDone ? total : Math.min(mine.length - old, total - old) };
  });
  const sum = (key: 'total' | 'replaced') => parts.reduce((all, part) => all + part[key], 0);
  const counts = { total: sum('total'), replaced: Math.max(0, sum('replaced')) };
  if (state.problem !== null) return { ...counts, state: 'failed', turn: null };
  const turn = parts.find(({ isDone }) => !isDone)?.program ?? null;
  if (state.finishedAt !== null || turn === null)
    return { ...counts, state: 'done', replaced: counts.total, turn: null };
  const isLate = state.ageSeconds > Math.max(limitSeconds.least, counts.total * limitSeconds.each);
  return { ...counts, state: isLate ? 'failed' : 'running', turn: isLate ? null : turn };
}

/**
 * The process of a program that ends next, so that its supervisor starts it again: the oldest one.
 * Null while fewer processes are there than before the restart, or when all are new.
 */
export function nextToEnd(
  { restart, expected }: Pick<HostState, 'restart' | 'expected'>,
  program: ProgramName,
  processes: readonly HostProcess[],
): HostProcess | null {
  const mine = processes.filter((process) => process.program === program);
  if (mine.length < (expected[program] ?? 1)) return null;
  const old = mine.filter((process) => process.restart < restart);
  return old.toSorted((one, other) => one.restart - other.restart || (one.id < other.id ? -1 : 1))[0] ?? null;
}
