/**
 * How long a process that died stays down: 250 ms, doubling to 30 s, and 250 ms again after it was
 * healthy for a minute.
 */
const FIRST_MS = 250;
const LAST_MS = 30_000;
const HELD_MS = 60_000;

export interface BackOff {
  /** The pause before the next start, given how long the process was healthy before it died. */
  next(healthyMs: number): number;
}

export function createBackOff(): BackOff {
  let pause = FIRST_MS;
  return {
    next(healthyMs) {
      if (healthyMs >= HELD_MS) pause = FIRST_MS;
      const current = pause;
      pause = Math.min(pause * 2, LAST_MS);
      return current;
    },
  };
}
