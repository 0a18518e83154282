import { emptyDeletedFolder as contract } from '@selvage/core/jobs/empty-deleted-folder';
import type { Processor } from '@selvage/core/jobs/processor';
import { emptyDeletedFolder } from '@selvage/core/mailstore/own-folders';
import { processInRuns } from '../process-in-runs.ts';

/**
 * Answers `mail.empty-deleted-folder`: moves some of the mail of a deleted folder to the trash and
 * asks for the rest, or removes the folder.
 */
export const emptyDeletedFolderProcessor = emptyDeletedFolderFor();

/** The same with another limit for one run. */
export function emptyDeletedFolderFor(limitMs?: number): Processor {
  return processInRuns(contract, (ctx, { folderId }, run) => emptyDeletedFolder(ctx, folderId, run), limitMs);
}
