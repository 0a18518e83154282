interface Kept<T> {
  value: T;
  bytes: number;
}

/** Keeps the values that were used last, up to a number of bytes in all. */
export class RecentCache<T> {
  readonly #maxBytes: number;
  readonly #entries = new Map<string, Kept<T>>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(key: string): T | undefined {
    const kept = this.#entries.get(key);
    if (kept === undefined) return undefined;
    // A map is in the order of its insertions, so this one is the newest again
    this.#entries.delete(key);
    this.#entries.set(key, kept);
    return kept.value;
  }

  /**
   * Keeps a value of that many bytes; one that is larger than a quarter of the room is not kept.
   */
  set(key: string, value: T, bytes: number): void {
    this.#remove(key);
    if (bytes > this.#maxBytes / 4) return;
    this.#entries.set(key, { value, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }
}
