import { FairQueue } from '@selvage/core/fair-queue';

interface Line {
  queue: FairQueue;
  users: number;
}

/** The most turns of one key at once; others of the key wait. */
export class Turns {
  readonly #lines = new Map<string, Line>();
  readonly #limits: { atOnce: number; waiting: number };

  constructor(limits: { atOnce: number; waiting: number }) {
    this.#limits = limits;
  }

  /**
   * Resolves when it is the turn of one more, with what ends the turn.
   * @param place within a key, places take turns
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
