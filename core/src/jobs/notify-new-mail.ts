import { z } from 'zod';
import { defineJob } from './define-job.ts';
import { jobId } from './job-id.ts';

/** Tell a person's open windows that an entry arrived. */
export const notifyNewMail = defineJob({
  name: 'mail.notify',
  queue: 'mail',
  payload: z.object({ entryId: jobId }),
  dedupe: (payload) => `notify-${payload.entryId}`,
  retry: { attempts: 3, backoffMs: 1000 },
});
