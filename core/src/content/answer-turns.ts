import { FairLine } from '../fair-line.ts';

/** How many milliseconds of one turn of the event loop are spent on resumed work. */
const turnMs = 20;
/** The most pieces of work that are resumed in one turn. */
const mostOfTurn = 100;

/**
 * Resumes waiting work a little in each turn of the event loop. Many checks may wait for the same
 * answer of a name server, and would otherwise all continue in the turn in which it comes.
 */
export class AnswerTurns {
  readonly #line = new FairLine<() => void>();
  #isAwaited = false;

  /** Resolves when it is the caller's turn. Callers of different keys take turns. */
  async next(key: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#line.add(key, resolve);
    this.#await();
    await promise;
  }

  #await(): void {
    if (this.#isAwaited || this.#line.size === 0) return;
    this.#isAwaited = true;
    let begun = 0;
    // The work that one call resumes runs before the next call, in the same turn
    const goOn = () => {
      begun ||= performance.now();
      if (performance.now() - begun < turnMs) this.#line.take()?.();
    };
    for (let left = Math.min(this.#line.size, mostOfTurn); left > 0; left -= 1) setImmediate(goOn);
    setImmediate(() => {
      this.#isAwaited = false;
      this.#await();
    });
  }
}
