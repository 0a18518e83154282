import { copyMailbox } from '@selvage/core/jobs/copy-mailbox';
import type { Processor } from '@selvage/core/jobs/processor';
import { workOnCopy } from '@selvage/core/mailstore/copy-mailbox';
import { processInRuns } from '../process-in-runs.ts';

/**
 * Answers `directory.copy-mailbox`: fills a part of a copy of a mailbox, or empties a part of a
 * removed one, and asks for the rest.
 */
export const copyMailboxProcessor = copyMailboxFor();

/** The same with another limit for one run. */
export function copyMailboxFor(limitMs?: number): Processor {
  return processInRuns(copyMailbox, (ctx, { copyId }, run) => workOnCopy(ctx, copyId, run), limitMs);
}
