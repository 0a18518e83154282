interface Writes {
  /**
   * Writes a batch, or everything that is left when `isEnd`. Resolves to whether something waits
   * for a later batch. It handles its own failures.
   */
  write: (isEnd: boolean) => Promise<boolean>;
  /** The time between the first item and its batch, in which more items gather. */
  firstMs: number;
  /** The time between a batch and the next one, for items that were left. */
  restMs: number;
}

/**
 * Lets an owner write what it collects in batches, one after the other: a slow database gets no
 * second batch meanwhile. Its timer keeps no process alive, so a process flushes before it ends.
 */
export class BatchedWrites {
  readonly #writes: Writes;
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> = Promise.resolve();

  constructor(writes: Writes) {
    this.#writes = writes;
  }

  /** The owner calls this when an item has come in, so that a batch is written soon. */
  begin(): void {
    this.#startIn(this.#writes.firstMs);
  }

  /**
   * Writes everything that has come in so far, after the batch under way. Settles once it is
   * written or can't be.
   */
  flush(): Promise<void> {
    return this.#flush(true);
  }

  #startIn(ms: number): void {
    this.#timer ??= setTimeout(() => void this.#flush(false), ms).unref();
  }

  #flush(isEnd: boolean): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#writing = this.#writing.then(() => this.#write(isEnd));
    return this.#writing;
  }

  async #write(isEnd: boolean): Promise<void> {
    const isRest = await this.#writes.write(isEnd);
    if (isRest && !isEnd) this.#startIn(this.#writes.restMs);
  }
}
