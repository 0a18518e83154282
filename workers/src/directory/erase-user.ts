import { eraseUserRows } from '@selvage/core/directory/erase-rows';
import { eraseUser } from '@selvage/core/jobs/erase-user';
import type { Processor } from '@selvage/core/jobs/processor';
import { log } from '@selvage/core/log';
import { forAWhile } from '@selvage/core/sweeps/for-a-while';
import { processInRuns } from '../process-in-runs.ts';

/**
 * Answers `directory.erase-user`: removes some of the rows of a permanently deleted person and asks
 * for the rest, so that copies and archives of mailboxes have their turn between.
 */
export const eraseUserProcessor = eraseUserFor();

/** The same with another limit for one run. */
export function eraseUserFor(limitMs?: number): Processor {
  return processInRuns(
    eraseUser,
    async (ctx, { userId }, run) => {
      const isErased = await forAWhile(run, (signal) => eraseUserRows(ctx, userId, signal));
      if (isErased === 'more') return 'more';
      log.info('erasure of a person', { userId, isErased });
      return 'done';
    },
    limitMs,
  );
}
