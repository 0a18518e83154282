import { FairQueue } from '@selvage/core/fair-queue';

interface Line {
  queue: FairQueue;
  users: number;
}

/** Limits how many turns a key may have at once. Others of the same key wait. */
export class Turns {
  readonly #lines = new Map<string, Line>();
  readonly #limits: { atOnce: number; waiting: number };

  constructor(limits: { atOnce: number; waiting: number }) {
    this.#limits = limits;
  }

  /**
   * Resolves when the caller's turn begins, to the function that ends it.
   * @param place who waits, within the key: places take turns
   * @throws AppError 503 when too many wait
   */
  async take(key: string, place = ''): Promise<() => void> {
    const line = this.#lines.get(key) ?? { queue: new FairQueue(this.#limits), users: 0 };
    this.#lines.set(key, line);
    line.users += 1;
    const started = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    const turn = line.queue.run(place, () => {
      started.resolve();
      return ended.promise;
    });
    turn.catch(started.reject).finally(() => {
      line.users -= 1;
      if (line.users === 0) this.#lines.delete(key);
    });
    await started.promise;
    return ended.resolve;
  }
}
