/**
 * Runs work under the same key one after the other, in the order in which it came, within this
 * process.
 */
export class KeyedLock {
  readonly #last = new Map<string, Promise<void>>();

  /**
   * Settles with the work. It starts when all earlier work under this key has ended, even if that
   * failed.
   */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const { promise: end, resolve } = Promise.withResolvers<void>();
    this.#last.set(key, end);
    await before;
    try {
      return await work();
    } finally {
      if (this.#last.get(key) === end) this.#last.delete(key);
      resolve();
    }
  }
}
