/** How much time the work under one key may take. */
export interface TimeLimits {
  /** The share of all time, from 0 to 1, that it may take in the long run. */
  share: number;
  /** How far it may be ahead of its share. */
  aheadMs: number;
}

/** Counts how much time the work under each key has taken beyond its share of the time. */
export class TimeBudget {
  readonly #limits: TimeLimits;
  /** How far keys are ahead of their share, and since when. */
  readonly #ahead = new Map<string, { ms: number; at: number }>();

  constructor(limits: TimeLimits) {
    this.#limits = limits;
  }

  isUsedUp(key: string): boolean {
    return this.#aheadOf(key) >= this.#limits.aheadMs;
  }

  spend(key: string, ms: number): void {
    this.#ahead.set(key, { ms: this.#aheadOf(key) + ms, at: performance.now() });
    for (const other of this.#ahead.keys()) if (this.#aheadOf(other) === 0) this.#ahead.delete(other);
  }

  #aheadOf(key: string): number {
    const { ms, at } = this.#ahead.get(key) ?? { ms: 0, at: 0 };
    return Math.max(0, ms - (performance.now() - at) * this.#limits.share);
  }
}
