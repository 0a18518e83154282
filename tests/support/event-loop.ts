import { cpuTimeMs, slowness } from './cpu-time.ts';

/** Bounds of the histogram, in seconds. */
const bounds = [0.1, 0.25, 0.5, 1] as const;
type Bound = (typeof bounds)[number];

/** How often the event loop of a process was blocked, by the bounds of its histogram. */
export interface HeldLoop {
  /** How often one turn used more processor time than this many seconds. */
  longerThan(seconds: Bound): number;
}

/**
 * Reads the metrics of a process about its event loop. They measure processor time and not wall
 * time, so a busy machine does not look like a process that blocks its event loop.
 * @param health the /health address of the process
 */
export async function readHeldLoop(health: string): Promise<HeldLoop> {
  const answer = await fetch(health.replace(/\/health$/, '/metrics'));
  const text = await answer.text();
  const count = (bound: string): number => {
    const line = text
      .split('\n')
      .find((row) => row.startsWith(`selvage_event_loop_held_seconds_bucket{le="${bound}"}`));
    if (!line) throw new Error(`the process at ${health} does not measure its event loop`);
    return Number(line.split(' ').at(-1));
  };
  return { longerThan: (seconds) => count('+Inf') - count(String(seconds)) };
}

/**
 * The bound that stands for a limit in seconds on this machine. A process counts its processor time
 * as it is, and the same work takes more of it on a machine that is slow now.
 */
export function boundFor(limit: Bound): Bound {
  // One measurement alone may be disturbed
  const [, , median = 1] = Array.from({ length: 5 }, slowness).toSorted((a, b) => a - b);
  // The measurement is no more exact than this
  const scaled = median < 1.2 ? limit : limit * median;
  return bounds.find((bound) => bound >= scaled) ?? 1;
}

/**
 * Runs some work. Returns the most processor time, in milliseconds, that this thread used in one
 * turn of its event loop meanwhile.
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let isOver = false;
  let last = cpuTimeMs();
  const done = work().finally(() => {
    isOver = true;
  });
  let longest = 0;
  while (!isOver) {
    await new Promise((resolve) => setImmediate(resolve));
    const now = cpuTimeMs();
    longest = Math.max(longest, now - last);
    last = now;
  }
  await done;
  return longest;
}
