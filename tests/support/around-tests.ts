/*
 * A hook of Vitest belongs to the file that loads the module with it. Modules may stay loaded from
 * one test file to the next, so what they do around each test is told here, and the setup of every
 * file calls it. Loads nothing, as `end-of-file.ts`.
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
