import { inTransaction } from '@selvage/core/context/context';
import { copyMailbox } from '@selvage/core/jobs/copy-mailbox';
import { enqueue } from '@selvage/core/jobs/enqueue';
import { type Processor, processor } from '@selvage/core/jobs/processor';
import { workOnCopy } from '@selvage/core/mailstore/copy-mailbox';

/**
 * The longest that one run works: then other jobs of the queue have their turn. A process that ends
 * waits no longer than this either.
 */
const longestMs = 8000;

/**
 * Answers `directory.copy-mailbox`: fills a part of a copy of a mailbox, or empties a part of a
 * removed one, and asks for the rest.
 */
export const copyMailboxProcessor = copyMailboxFor(longestMs);

/** The same with another limit for one run. */
export function copyMailboxFor(limitMs: number): Processor {
  return processor(copyMailbox, async (ctx, { copyId }) => {
    const outcome = await workOnCopy(ctx, copyId, { longestMs: limitMs });
    if (outcome === 'more') await inTransaction(ctx, (tx) => enqueue(tx, copyMailbox, { copyId }));
  });
}
