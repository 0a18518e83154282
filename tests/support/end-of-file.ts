/*
 * This module imports nothing: the setup of every test file imports it, and a test can only mock
 * modules that are not loaded yet.
 */

/**
 * Until when things that a test starts keep running: until the end of its test file or of its
 * worker.
 */
export class Lifetime {
  #stops: (() => Promise<void>)[] = [];

  /** Registers what to stop at the end. What was started later is stopped first. */
  stopAtEnd(stop: () => Promise<void>): void {
    this.#stops.unshift(stop);
  }

  /** Registers a check that runs after everything has been stopped. */
  checkAtEnd(check: () => Promise<void>): void {
    this.#stops.push(check);
  }

  /** Stops everything, even if something can't be stopped. @throws all errors that occurred */
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

/** The lifetime of the running test file. */
export const ofFile = new Lifetime();
/** The lifetime of this process, which runs test files one after another. */
export const ofWorker = new Lifetime();

/** Registers what to stop when the test file ends. What was started later is stopped first. */
export function stopAtEnd(stop: () => Promise<void>): void {
  ofFile.stopAtEnd(stop);
}
