import { z } from 'zod';
import { defineJob } from './define-job.ts';
import { recordId } from './record-id.ts';

/**
 * Holds the mail that waits of a person who may not use their account any more. Its queue has only
 * wake-ups beside it, which take no time: behind erasures, which take long, a spammer's mail would
 * go on leaving.
 */
export const holdSentMail = defineJob({
  name: 'directory.hold-sent-mail',
  queue: 'outbound',
  payload: z.object({ userId: recordId }),
  dedupe: (payload) => `hold-sent-mail-${payload.userId}`,
  retry: { attempts: 20, backoffMs: 5000 },
  isLast: true,
});
