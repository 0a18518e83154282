import { copyMailbox } from '@selvage/core/jobs/copy-mailbox';
import { processor } from '@selvage/core/jobs/processor';
import { workOnCopy } from '@selvage/core/mailstore/copy-mailbox';

/** Answers `directory.copy-mailbox`: fills a copy of a mailbox, or empties a removed one. */
export const copyMailboxProcessor = processor(copyMailbox, (ctx, { copyId }) => workOnCopy(ctx, copyId));
