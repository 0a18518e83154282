/**
 * Counts open connections by key. The answers are immediate, since a door decides at the accept. An
 * implementation for several processes of one door adds what it last heard of the others.
 */
export interface ConnectionCounts {
  /** How many connections the key has. */
  of(key: string): number;
  /** Counts one in. */
  add(key: string): void;
  /** Counts one out. */
  remove(key: string): void;
}

/** The connections of this process. */
export class LocalConnectionCounts implements ConnectionCounts {
  readonly #counts = new Map<string, number>();

  of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  add(key: string): void {
    this.#counts.set(key, this.of(key) + 1);
  }

  remove(key: string): void {
    const count = this.of(key) - 1;
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
  }
}
