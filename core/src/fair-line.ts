/** A line in which keys take turns, so that many items of one key delay others by one at a time. */
export class FairLine<T> {
  readonly #keys = new Map<string, T[]>();
  #size = 0;

  /** How many items wait. */
  get size(): number {
    return this.#size;
  }

  /** Puts an item behind the others of its key. */
  add(key: string, item: T): void {
    const line = this.#keys.get(key) ?? [];
    this.#keys.set(key, line);
    line.push(item);
    this.#size += 1;
  }

  /**
   * Takes the next item out; undefined when none waits.
   * @param isReady false for keys that are passed over and keep their place
   */
  take(isReady: (key: string) => boolean = () => true): T | undefined {
    for (const [key, line] of this.#keys) {
      if (!isReady(key)) continue;
      this.#keys.delete(key);
      this.#size -= 1;
      const item = line.shift();
      // The key moves behind the others, so its next item waits until each of them had a turn
      if (line.length > 0) this.#keys.set(key, line);
      return item;
    }
    return undefined;
  }

  /** Takes out the newest item of the key with the most. */
  takeNewestOfLongest(): T | undefined {
    if (this.#size === 0) return undefined;
    const [key, line] = [...this.#keys].reduce((most, one) => (one[1].length > most[1].length ? one : most));
    this.#size -= 1;
    const item = line.pop();
    if (line.length === 0) this.#keys.delete(key);
    return item;
  }
}
