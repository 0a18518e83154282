import { setTimeout as wait } from 'node:timers/promises';

const longestMs = 1000;

/**
 * Waits for as long as the work since `startedAt` took, one second at most. So work in the
 * background that is done in pieces of up to a second takes half of one core and of the disk.
 * @param startedAt of `performance.now()`
 * @param times waits this many times as long, for work that mail must hardly notice
 * @throws the signal's reason when it aborts
 */
export async function restAfter(startedAt: number, signal?: AbortSignal, times = 1): Promise<void> {
  signal?.throwIfAborted();
  await wait(Math.min(longestMs, times * (performance.now() - startedAt)), undefined, signal ? { signal } : {});
}
