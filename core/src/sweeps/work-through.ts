import { log } from '../log.ts';
import { isAwayForAll } from '../database/database-errors.ts';

/**
 * Works on many items, one after the other. A failure of one item, for example over a broken part
 * of the disk or a statement that takes too long, is logged and does not hold up the others.
 * @returns for how many `work` answered true
 * @throws when the database is away, or the signal aborts
 */
export async function workThrough(
  names: readonly string[],
  work: (name: string) => Promise<boolean>,
  { failure, signal }: { failure: string; signal: AbortSignal | undefined },
): Promise<number> {
  let done = 0;
  for (const name of names) {
    signal?.throwIfAborted();
    try {
      if (await work(name)) done += 1;
    } catch (error) {
      if (signal?.aborted || isAwayForAll(error)) throw error;
      log.error(failure, { name, error });
    }
  }
  return done;
}
