/*
 * Loads nothing: the setup of every test file imports it, and a test can only replace modules that
 * are not loaded yet.
 */

const started: (() => Promise<void>)[] = [];

/** Stops something when the test file ends, after all that was started later. */
export function stopAtEnd(stop: () => Promise<void>): void {
  started.unshift(stop);
}

/** Stops and removes what the tests of one file have started. */
export async function endTestFile(): Promise<void> {
  for (const stop of started.splice(0)) await stop();
}
