import { processor } from '@selvage/core/jobs/processor';
import { removeMessage } from '@selvage/core/jobs/remove-message';
import { removeMessageIfUnreferenced } from '@selvage/core/mailstore/remove-unreferenced';
import { log } from '@selvage/core/log';

/** Answers `mail.remove-message`: removes a message and its bytes, unless it is still in use. */
export const removeMessageProcessor = processor(removeMessage, async (ctx, { messageId }) => {
  const outcome = await removeMessageIfUnreferenced(ctx, messageId);
  log.info('removal of a message', { messageId, outcome });
});
