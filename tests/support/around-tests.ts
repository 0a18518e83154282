/*
 * A Vitest hook belongs to the test file that first loads the module with the hook. Modules may
 * stay loaded from one test file to the next. So modules register here what to do around each test,
 * and the setup of every file runs it. This module imports nothing, as `end-of-file.ts`.
 */

const beginnings: (() => void)[] = [];
const descriptions: (() => Promise<void> | void)[] = [];

/** Runs `work` whenever a test begins. */
export function beforeEachTest(work: () => void): void {
  beginnings.push(work);
}

/** Runs `describe` when a test has failed, to log what helps to understand the failure. */
export function describeAtFailure(describe: () => Promise<void> | void): void {
  descriptions.push(describe);
}

export function beginTest(): void {
  for (const work of beginnings) work();
}

export async function describeFailure(): Promise<void> {
  for (const describe of descriptions) await describe();
}
