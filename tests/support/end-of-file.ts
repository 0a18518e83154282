/*
 * Loads nothing: the setup of every test file imports it, and a test can only replace modules that
 * are not loaded yet.
 */

/** How long what a test has started stays: until the test's file ends, or its worker. */
export class Lifetime {
  #stops: (() => Promise<void>)[] = [];

  /** Stops something at the end, after all that was started later. */
  stopAtEnd(stop: () => Promise<void>): void {
    this.#stops.unshift(stop);
  }

  /** Checks something when all that is stopped at the end has been. */
  checkAtEnd(check: () => Promise<void>): void {
    this.#stops.push(check);
  }

  /** Stops everything, also after something that can't be stopped. @throws what failed */
  async end(): Promise<void> {
    const errors: unknown[] = [];
    for (const stop of this.#stops.splice(0)) {
      try {
        await stop();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 1) throw new AggregateError(errors, errors.map(String).join('\n'));
    if (errors.length === 1) throw errors[0];
  }
}

/** The test file that runs. */
export const ofFile = new Lifetime();
/** All test files that this process runs, one after another. */
export const ofWorker = new Lifetime();

/** Stops something when the test file ends, after all that was started later. */
export function stopAtEnd(stop: () => Promise<void>): void {
  ofFile.stopAtEnd(stop);
}
