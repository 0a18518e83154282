import { inTransaction } from '@selvage/core/context/context';
import { enqueue } from '@selvage/core/jobs/enqueue';
import { holdSentMail } from '@selvage/core/jobs/hold-sent-mail';
import { processor } from '@selvage/core/jobs/processor';
import { pause } from '@selvage/core/pause';
import { holdMailOf } from '@selvage/core/outbound/hold-sent-mail';

/** How long mail that is being sent is left alone before it is looked at again. */
const restMs = 5000;

/**
 * Answers `directory.hold-sent-mail`: holds the waiting mail of a person who may not use their
 * account any more.
 */
export const holdSentMailProcessor = processor(holdSentMail, async (ctx, { userId }, signal) => {
  const isAnyLeft = await holdMailOf(ctx, userId);
  if (!isAnyLeft) return;
  await pause(restMs, signal);
  await inTransaction(ctx, (tx) => enqueue(tx, holdSentMail, { userId }));
});
