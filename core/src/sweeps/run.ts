/** The limits of a run that does a part of a long piece of work. */
export interface Run {
  /** After this long another job gets its turn, so that one company does not hold up the others. */
  longestMs?: number;
  /** It aborts when the process ends. */
  signal?: AbortSignal | undefined;
}

/** A run that always has a longest time. */
export type TimedRun = Run & { longestMs: number };
