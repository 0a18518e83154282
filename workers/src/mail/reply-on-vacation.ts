import { processor } from '@selvage/core/jobs/processor';
import { replyOnVacation } from '@selvage/core/jobs/reply-on-vacation';
import { log } from '@selvage/core/log';
import { replyForReader } from '@selvage/core/outbound/reply-on-vacation';

/** Answers `mail.vacation-reply`: tells the sender of a message that its reader is away. */
export const replyOnVacationProcessor = processor(replyOnVacation, async (ctx, { entryId }) => {
  const outcome = await replyForReader(ctx, entryId);
  log.info('message looked at for a person who is away', { entryId, outcome });
});
