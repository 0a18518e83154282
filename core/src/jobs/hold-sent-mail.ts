import { z } from 'zod';
import { defineJob } from './define-job.ts';
import { recordId } from './record-id.ts';

/**
 * Holds the mail that waits of a person who may not use their account any more. It has a queue of
 * its own: behind erasures, which take long, a spammer's mail would go on leaving. In the queue of
 * other jobs, its rests would delay those.
 */
export const holdSentMail = defineJob({
  name: 'directory.hold-sent-mail',
  queue: 'holds',
  payload: z.object({ userId: recordId }),
  dedupe: (payload) => `hold-sent-mail-${payload.userId}`,
  retry: { attempts: 20, backoffMs: 5000 },
});
