import { log } from '@selvage/core/log';

/**
 * Lets at most `limit` deliveries of each recipient domain run at once. The others wait in a queue,
 * and their callers go on. Nothing is lost with the queue: each of its deliveries is a due row in
 * the database.
 */
export class DomainQueue {
  readonly #limit: number;
  readonly #longest: number;
  readonly #domains = new Map<string, { running: number; waiting: Map<string, () => Promise<void>> }>();
  readonly #all = new Set<Promise<void>>();
  #isClosed = false;

  constructor(limit: number, longest = 1000) {
    this.#limit = limit;
    this.#longest = longest;
  }

  /**
   * Runs `work` now if the domain has room, and settles with it. Otherwise queues it and settles at
   * once. The same id waits only once. When the queue is full, the work is left to the sweep.
   */
  async run(domain: string, id: string, work: () => Promise<void>): Promise<void> {
    if (this.#isClosed) return;
    const state = this.#domains.get(domain) ?? { running: 0, waiting: new Map() };
    this.#domains.set(domain, state);
    if (state.running < this.#limit) {
      await this.#start(domain, work);
    } else if (state.waiting.size < this.#longest) {
      state.waiting.set(id, work);
    }
  }

  /** Starts no more work and waits for what runs. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#domains.clear();
    await Promise.allSettled(this.#all);
  }

  #start(domain: string, work: () => Promise<void>): Promise<void> {
    const state = this.#domains.get(domain);
    if (state) state.running += 1;
    const running = work().finally(() => {
      this.#all.delete(running);
      this.#next(domain);
    });
    this.#all.add(running);
    return running;
  }

  #next(domain: string): void {
    const state = this.#domains.get(domain);
    if (!state) return;
    state.running -= 1;
    const [first] = state.waiting;
    if (first) {
      state.waiting.delete(first[0]);
      this.#start(domain, first[1]).catch((error: unknown) => log.error('work of a domain failed', { domain, error }));
    } else if (state.running === 0) {
      this.#domains.delete(domain);
    }
  }
}
