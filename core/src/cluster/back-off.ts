/** The pause after the first death of a process. Each further death doubles it. */
const firstMs = 250;
const longestMs = 30_000;
/** After a process was healthy for so long, its pauses begin anew. */
const healthyAgainMs = 60_000;

export interface BackOff {
  /** The pause before the next start, given how long the process was healthy before it died. */
  next(healthyMs: number): number;
}

export function createBackOff(): BackOff {
  let pause = firstMs;
  return {
    next(healthyMs) {
      if (healthyMs >= healthyAgainMs) pause = firstMs;
      const current = pause;
      pause = Math.min(pause * 2, longestMs);
      return current;
    },
  };
}
