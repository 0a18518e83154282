import { availableParallelism, totalmem } from 'node:os';

/** The most processes that one program can have. */
export const mostProcesses = 64;

/**
 * How many processes of each program this machine deserves: one for each two cores and each 4 GiB
 * of memory, at most 8. The database and the other programs need the rest.
 */
export function usualProcesses(): number {
  const memory = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  const gigabytes = Math.min(memory, totalmem()) / 2 ** 30;
  return Math.max(1, Math.min(Math.floor(availableParallelism() / 2), Math.floor(gigabytes / 4), 8));
}
