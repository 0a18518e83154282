/**
 * Counts open connections by key. The methods answer at once, since a door decides when it accepts
 * a connection. An implementation for several processes of one door adds the counts that the other
 * processes last reported.
 */
export interface ConnectionCounts {
  /** How many connections the key has. */
  of(key: string): number;
  /** Counts one in. */
  add(key: string): void;
  /** Counts one out. */
  remove(key: string): void;
  /**
   * Of the keys with this beginning, the one with the most connections; null when there is none.
   */
  largest(beginning: string): CountedKey | null;
  /** Asks another process to end one connection of a key; false when no other process has one. */
  makeRoomElsewhere(key: string): boolean;
  /** Sets the function that ends one connection of a key when another process asks for it. */
  onMakeRoom(end: (key: string) => void): void;
}

/** A key and how many connections it has. */
export interface CountedKey {
  key: string;
  count: number;
}

/** Of the keys with this beginning, the one with the most connections over several counts. */
export function largestOf(
  counts: Iterable<Iterable<readonly [key: string, count: number]>>,
  beginning: string,
): CountedKey | null {
  const sums = new Map<string, number>();
  let most: CountedKey | null = null;
  for (const some of counts) {
    for (const [key, count] of some) {
      if (!key.startsWith(beginning)) continue;
      const sum = (sums.get(key) ?? 0) + count;
      sums.set(key, sum);
      if (most === null || sum > most.count) most = { key, count: sum };
    }
  }
  return most;
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

  /** All keys with their counts. */
  entries(): Iterable<[key: string, count: number]> {
    return this.#counts.entries();
  }

  largest(beginning: string): CountedKey | null {
    return largestOf([this.#counts], beginning);
  }

  makeRoomElsewhere(): boolean {
    return false;
  }

  onMakeRoom(): void {
    // No other process asks
  }
}
