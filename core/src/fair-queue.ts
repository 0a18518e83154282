import { unavailable } from './errors.ts';

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
  readonly #longest: number;
  readonly #keys = new Map<string, Waiting[]>();
  #running = 0;
  #waiting = 0;

  constructor(limits: { atOnce: number; waiting: number }) {
    this.#atOnce = limits.atOnce;
    this.#longest = limits.waiting;
  }

  /**
   * Settles with the work.
   * @throws {AppError} 503 when the queue is full and this work is refused
   */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#atOnce) this.#running += 1;
    else await this.#turn(key);
    try {
      return await work();
    } finally {
      this.#next();
    }
  }

  /** Resolves when it is the turn of this work. It takes over the place of work that has ended. */
  #turn(key: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const line = this.#keys.get(key) ?? [];
    this.#keys.set(key, line);
    line.push({ start: resolve, refuse: reject });
    this.#waiting += 1;
    if (this.#waiting > this.#longest) this.#refuseOne();
    return promise;
  }

  #refuseOne(): void {
    const [key = '', line = []] = [...this.#keys].reduce((most, one) => (one[1].length > most[1].length ? one : most));
    this.#waiting -= 1;
    line.pop()?.refuse(unavailable('too much work of this kind is waiting'));
    if (line.length === 0) this.#keys.delete(key);
  }

  #next(): void {
    const first = this.#keys.entries().next();
    if (first.done) {
      this.#running -= 1;
      return;
    }
    const [key, line] = first.value;
    this.#keys.delete(key);
    this.#waiting -= 1;
    line.shift()?.start();
    // Behind the other keys: its next piece waits until each of them had a turn
    if (line.length > 0) this.#keys.set(key, line);
  }
}
