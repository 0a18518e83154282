import { type Ctx, inTransaction } from '@selvage/core/context/context';
import type { JobContract } from '@selvage/core/jobs/define-job';
import { enqueue } from '@selvage/core/jobs/enqueue';
import { type Processor, processor } from '@selvage/core/jobs/processor';
import type { TimedRun } from '@selvage/core/sweeps/run';

/** The longest time that one run works. Then other jobs of the queue have their turn. */
const longestMs = 8000;

/**
 * Makes the processor of a job that may take long. A run does a part of the work. When `work`
 * answers `more`, another job for the rest is enqueued.
 * @param limitMs the longest time of a run
 */
export function processInRuns<P extends object>(
  contract: JobContract<P>,
  work: (ctx: Ctx, payload: P, run: TimedRun) => Promise<'more' | 'done' | 'none'>,
  limitMs = longestMs,
): Processor {
  return processor(contract, async (ctx, payload, signal) => {
    const outcome = await work(ctx, payload, { longestMs: limitMs, signal });
    if (outcome === 'more') await inTransaction(ctx, (tx) => enqueue(tx, contract, payload));
  });
}
