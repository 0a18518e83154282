import { eraseUserRows } from '@selvage/core/directory/erase-rows';
import { eraseUser } from '@selvage/core/jobs/erase-user';
import { processor } from '@selvage/core/jobs/processor';
import { log } from '@selvage/core/log';

/** Answers `directory.erase-user`: removes the rows of a permanently deleted person. */
export const eraseUserProcessor = processor(eraseUser, async (ctx, { userId }, signal) => {
  const isErased = await eraseUserRows(ctx, userId, signal);
  log.info('erasure of a person', { userId, isErased });
});
