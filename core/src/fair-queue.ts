import { tooBusy } from './errors.ts';
import { FairLine } from './fair-line.ts';

interface Waiting {
  start(): void;
  refuse(error: Error): void;
}

/**
 * Runs a limited number of costly pieces of work at once and lets a limited number wait. The keys
 * take turns, so that a flood under one key delays the others by one piece of work a turn. When the
 * queue is full, the key with the most waiting pieces loses its newest one.
 */
export class FairQueue {
  readonly #atOnce: number;
  readonly #ofKey: number;
  readonly #longest: number;
  readonly #waiting = new FairLine<Waiting>();
  readonly #byKey = new Map<string, number>();
  #running = 0;

  /** @param limits.ofKey pieces of one key at once, where a key may not take all places */
  constructor(limits: { atOnce: number; waiting: number; ofKey?: number }) {
    this.#atOnce = limits.atOnce;
    this.#longest = limits.waiting;
    this.#ofKey = limits.ofKey ?? limits.atOnce;
  }

  /**
   * Settles with the work.
   * @throws {AppError} 503 `too_busy` when the queue is full and this work is refused
   */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    if (this.#hasPlace(key)) this.#count(key, 1);
    else await this.#turn(key);
    try {
      return await work();
    } finally {
      this.#count(key, -1);
      this.#waiting.take((other) => this.#hasPlace(other))?.start();
    }
  }

  #hasPlace(key: string): boolean {
    return this.#running < this.#atOnce && (this.#byKey.get(key) ?? 0) < this.#ofKey;
  }

  #count(key: string, change: 1 | -1): void {
    this.#running += change;
    const ofKey = (this.#byKey.get(key) ?? 0) + change;
    if (ofKey > 0) this.#byKey.set(key, ofKey);
    else this.#byKey.delete(key);
  }

  /** Resolves when it is the turn of this work. It takes over the place of work that has ended. */
  #turn(key: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const start = () => {
      this.#count(key, 1);
      resolve();
    };
    this.#waiting.add(key, { start, refuse: reject });
    if (this.#waiting.size > this.#longest) {
      this.#waiting.takeNewestOfLongest()?.refuse(tooBusy(undefined, 'too much work of this kind is waiting'));
    }
    return promise;
  }
}
