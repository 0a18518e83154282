import { type Ctx, inTransaction } from '@selvage/core/context/context';
import type { JobContract } from '@selvage/core/jobs/define-job';
import { enqueue } from '@selvage/core/jobs/enqueue';
import { type Processor, processor } from '@selvage/core/jobs/processor';
import type { Run } from '@selvage/core/sweeps/run';

/**
 * The longest that one run works: then other jobs of the queue have their turn. A process that ends
 * waits no longer than this either.
 */
const longestMs = 8000;

/**
 * Binds work that may take long to its contract. A run does a part of it, and asks for the rest by
 * another job when it answers `more`.
 * @param limitMs the time of a run, where it is another one
 */
export function processInRuns<P extends object>(
  contract: JobContract<P>,
  work: (ctx: Ctx, payload: P, run: Run) => Promise<'more' | 'done' | 'none'>,
  limitMs = longestMs,
): Processor {
  return processor(contract, async (ctx, payload) => {
    const outcome = await work(ctx, payload, { longestMs: limitMs });
    if (outcome === 'more') await inTransaction(ctx, (tx) => enqueue(tx, contract, payload));
  });
}
