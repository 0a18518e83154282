import { test } from 'vitest';
import { ofWorker } from './end-of-file.ts';

/**
 * Vitest tells of the end of a worker only through what its tests were given for so long: a file
 * with a hook that takes `untilWorkerEnds` has everything stopped then.
 */
// oxlint-disable-next-line no-empty-pattern -- Vitest reads from the pattern what is needed
export const inWorker = test.extend('untilWorkerEnds', { scope: 'worker' }, ({}, { onCleanup }) => {
  onCleanup(() => ofWorker.end());
  return null;
});
