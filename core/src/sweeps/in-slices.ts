import { restAfter } from './rest.ts';

/**
 * Repeats a slice of work until it answers that nothing is left, with a rest after each.
 * @throws the signal's reason when it aborts
 */
export async function inSlices(slice: () => Promise<boolean>, signal?: AbortSignal): Promise<void> {
  for (;;) {
    const startedAt = performance.now();
    if (!(await slice())) return;
    await restAfter(startedAt, signal);
  }
}
