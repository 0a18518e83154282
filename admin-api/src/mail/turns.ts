import { FairQueue } from '@selvage/core/fair-queue';

/** How many turns a key has at once, how many of them one place may have, and how many wait. */
interface Limits {
  atOnce: number;
  ofKey?: number;
  waiting: number;
}

interface Line {
  queue: FairQueue;
  users: number;
}

/** Limits how many turns a key may have at once. Others of the same key wait. */
export class Turns {
  readonly #lines = new Map<string, Line>();
  readonly #limits: Limits;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /**
   * Resolves when the caller's turn begins, to the function that ends it.
   * @param place who waits, within the key: places take turns
   * @param gone ends the waiting
   * @throws AppError 503 when too many wait; the reason of the signal
   */
  async take(key: string, place: string, gone: AbortSignal): Promise<() => void> {
    gone.throwIfAborted();
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
    const leave = () => {
      // Its turn ends as soon as it comes
      ended.resolve();
      started.reject(gone.reason as Error);
    };
    gone.addEventListener('abort', leave, { once: true });
    try {
      await started.promise;
    } finally {
      gone.removeEventListener('abort', leave);
    }
    return ended.resolve;
  }
}
