import { inTransaction } from '@selvage/core/context/context';
import { enqueue } from '@selvage/core/jobs/enqueue';
import { type Processor, processor } from '@selvage/core/jobs/processor';
import { removeLabel } from '@selvage/core/jobs/remove-label';
import { removeLabelRows } from '@selvage/core/mailstore/remove-label';

/**
 * The longest that one run works: then other jobs of the queue have their turn. A process that ends
 * waits no longer than this either.
 */
const longestMs = 8000;

/**
 * Answers `mail.remove-label`: takes a deleted label from some of its messages and asks for the
 * rest, or removes it.
 */
export const removeLabelProcessor = removeLabelFor(longestMs);

/** The same with another limit for one run. */
export function removeLabelFor(limitMs: number): Processor {
  return processor(removeLabel, async (ctx, { labelId }) => {
    const outcome = await removeLabelRows(ctx, labelId, { longestMs: limitMs });
    if (outcome === 'more') await inTransaction(ctx, (tx) => enqueue(tx, removeLabel, { labelId }));
  });
}
