import { inTransaction } from '@selvage/core/context/context';
import { emptyDeletedFolder as contract } from '@selvage/core/jobs/empty-deleted-folder';
import { enqueue } from '@selvage/core/jobs/enqueue';
import { type Processor, processor } from '@selvage/core/jobs/processor';
import { emptyDeletedFolder } from '@selvage/core/mailstore/own-folders';

/**
 * The longest that one run works: then other jobs of the queue have their turn. A process that ends
 * waits no longer than this either.
 */
const longestMs = 8000;

/**
 * Answers `mail.empty-deleted-folder`: moves some of the mail of a deleted folder to the trash and
 * asks for the rest, or removes the folder.
 */
export const emptyDeletedFolderProcessor = emptyDeletedFolderFor(longestMs);

/** The same with another limit for one run. */
export function emptyDeletedFolderFor(limitMs: number): Processor {
  return processor(contract, async (ctx, { folderId }) => {
    const outcome = await emptyDeletedFolder(ctx, folderId, { longestMs: limitMs });
    if (outcome === 'more') await inTransaction(ctx, (tx) => enqueue(tx, contract, { folderId }));
  });
}
