import { restAfter } from './rest.ts';
import type { Run } from './run.ts';

/**
 * Repeats a slice of work until it answers that nothing is left, with a rest after each.
 * @returns `more` when the time of the run was over first
 * @throws the signal's reason when it aborts
 */
export async function inSlices(slice: () => Promise<boolean>, run: Run = {}): Promise<'more' | 'done'> {
  const deadline = performance.now() + (run.longestMs ?? Infinity);
  for (;;) {
    const startedAt = performance.now();
    if (!(await slice())) return 'done';
    if (performance.now() > deadline) return 'more';
    await restAfter(startedAt, run.signal);
  }
}
