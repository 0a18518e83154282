import { test } from 'vitest';
import { ofWorker } from './end-of-file.ts';

/**
 * Stops everything when a Vitest worker ends. Vitest reports that end only to fixtures of the
 * worker's scope, so the setup of each file has a hook that takes `untilWorkerEnds`.
 */
// oxlint-disable-next-line no-empty-pattern -- Vitest reads from the pattern what is needed
export const inWorker = test.extend('untilWorkerEnds', { scope: 'worker' }, ({}, { onCleanup }) => {
  onCleanup(() => ofWorker.end());
  return null;
});
