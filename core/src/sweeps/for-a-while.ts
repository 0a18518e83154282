import type { TimedRun } from './run.ts';

/**
 * Does work that its signal ends between two slices, and that goes on where it stopped when it is
 * begun again.
 * @returns what the work returns; `more` when the time of the run was over first
 */
export async function forAWhile<T>(
  { longestMs, signal }: TimedRun,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | 'more'> {
  const limit = AbortSignal.timeout(longestMs);
  try {
    return await work(signal ? AbortSignal.any([signal, limit]) : limit);
  } catch (error) {
    if (limit.aborted && !signal?.aborted && isAbort(error)) return 'more';
    throw error;
  }
}

const isAbort = (error: unknown): boolean =>
  error instanceof Error && ['AbortError', 'TimeoutError'].includes(error.name);
