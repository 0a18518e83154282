import { setTimeout as wait } from 'node:timers/promises';
import { withoutLogContext } from '../log.ts';

interface Waiting<T, R> {
  item: T;
  resolve(result: R): void;
  reject(error: unknown): void;
}

/** How many items go together, and how long they wait for each other. */
export interface GroupLimits {
  items: number;
  /**
   * How many batches may run at once. Another one starts only when the latest has run for longer
   * than `patienceMs`.
   */
  lanes: number;
  patienceMs: number;
  /**
   * How long a batch waits for more items while many come: a short wait saves each of them most of
   * a commit.
   */
  gatherMs: number;
}

/**
 * Does work that comes at the same time in batches. The first item starts at once. Items that come
 * meanwhile form the next batch. So one commit, or one query, serves many callers. The promise of
 * each caller settles only after the batch of its item.
 */
export class GroupWork<T, R> {
  readonly #work: (items: readonly T[]) => Promise<R[]>;
  readonly #limits: GroupLimits;
  #waiting: Waiting<T, R>[] = [];
  #running = 0;
  #latestStart = 0;
  #isTimed = false;

  /**
   * `work` does all of its items or none of them, and answers one result for each, in their order.
   */
  constructor(work: (items: readonly T[]) => Promise<R[]>, limits: GroupLimits) {
    this.#work = work;
    this.#limits = limits;
  }

  /** Resolves when the item is done; rejects with the error of this very item. */
  add(item: T): Promise<R> {
    const { promise, resolve, reject } = Promise.withResolvers<R>();
    this.#waiting.push({ item, resolve, reject });
    this.#startWhenDue();
    return promise;
  }

  /**
   * One batch at a time makes the largest batches, but a batch that waits for a lock must not hold
   * up all others.
   */
  #startWhenDue(): void {
    const { lanes, patienceMs } = this.#limits;
    if (this.#waiting.length === 0 || this.#running === lanes) return;
    const restMs = this.#running === 0 ? 0 : this.#latestStart + patienceMs - performance.now();
    if (restMs <= 0) void withoutLogContext(() => this.#run());
    else this.#lookAgain(restMs);
  }

  #lookAgain(afterMs: number): void {
    if (this.#isTimed) return;
    this.#isTimed = true;
    setTimeout(() => {
      this.#isTimed = false;
      this.#startWhenDue();
    }, afterMs);
  }

  async #run(): Promise<void> {
    const { items, gatherMs } = this.#limits;
    this.#running += 1;
    while (this.#waiting.length > 0) {
      this.#latestStart = performance.now();
      const batch = this.#waiting.splice(0, items);
      await this.#settle(batch);
      if (batch.length > 1 && this.#waiting.length < batch.length) await wait(gatherMs);
    }
    this.#running -= 1;
  }

  /**
   * Never throws. The items of a batch that fails are done one by one, so that a bad item harms no
   * other.
   */
  async #settle(batch: readonly Waiting<T, R>[]): Promise<void> {
    try {
      const results = await this.#work(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => resolve(results[index] as R));
    } catch (error) {
      if (batch.length === 1) batch[0]?.reject(error);
      // In parallel: behind an item that waits for a lock, the others would wait as well
      else await Promise.all(batch.map((one) => this.#settle([one])));
    }
  }
}

/** Makes one group for each app, so that the work of two apps never shares a batch. */
export function groupWorkOf<App extends object, T, R>(
  work: (app: App, items: readonly T[]) => Promise<R[]>,
  limits: GroupLimits,
): (app: App) => GroupWork<T, R> {
  const groups = new WeakMap<App, GroupWork<T, R>>();
  return (app) => {
    const known = groups.get(app);
    if (known !== undefined) return known;
    const group = new GroupWork<T, R>((items) => work(app, items), limits);
    groups.set(app, group);
    return group;
  };
}

/** Look-ups gather only while one is under way: alone, none of them waits. */
export const lookUpLimits: GroupLimits = { items: 100, lanes: 4, patienceMs: 20, gatherMs: 0 };
