import { z } from 'zod';
import { defineJob, mergedRows } from './define-job.ts';
import { jobId } from './job-id.ts';

/** The most entries that one request for the job names. */
export const maxNotifiedEntries = 200;

/**
 * Tells people's open windows that entries arrived. Entries that came at the same time are
 * announced together.
 */
export const notifyNewMail = defineJob({
  name: 'mail.notify',
  queue: 'mail',
  payload: z.object({
    entryIds: z
      .array(jobId)
      .min(1)
      .max(maxNotifiedEntries * mergedRows),
  }),
  // An id is never used twice, so the first one names the batch
  dedupe: (payload) => `notify-${payload.entryIds[0] ?? ''}`,
  merge: (payloads) => ({ entryIds: payloads.flatMap(({ entryIds }) => entryIds) }),
  retry: { attempts: 3, backoffMs: 1000 },
});
