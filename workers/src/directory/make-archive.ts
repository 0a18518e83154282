import { workOnArchive } from '@selvage/core/company-archive/make-archive';
import { inTransaction } from '@selvage/core/context/context';
import { enqueue } from '@selvage/core/jobs/enqueue';
import { makeArchive } from '@selvage/core/jobs/make-archive';
import { processor } from '@selvage/core/jobs/processor';

/**
 * The longest that one run works: then other jobs of the queue have their turn. A process that ends
 * waits no longer than this either.
 */
const longestMs = 8000;

/** Answers `directory.make-archive`: writes some of an archive, and asks for the rest. */
export const makeArchiveProcessor = processor(makeArchive, async (ctx, { archiveId }) => {
  const outcome = await workOnArchive(ctx, archiveId, { longestMs });
  if (outcome === 'more') await inTransaction(ctx, (tx) => enqueue(tx, makeArchive, { archiveId }));
});
