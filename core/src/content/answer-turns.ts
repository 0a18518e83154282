import { FairLine } from '../fair-line.ts';

/** How long what goes on with an answer is done in one turn of the event loop. */
const turnMs = 20;
/** Most of them that are begun in one turn. */
const mostOfTurn = 100;

/**
 * Lets work go on a little in each turn of the event loop. Many checks may wait for the same answer
 * of a name server, and would all go on in the turn in which it comes.
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
    // What one of these resolves is done before the next of them, in the same turn
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
