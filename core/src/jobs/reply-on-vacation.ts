import { z } from 'zod';
import { defineJob } from './define-job.ts';
import { recordId } from './record-id.ts';

/** Answers a received message for a person who is away, if it may be answered (D47). */
export const replyOnVacation = defineJob({
  name: 'mail.vacation-reply',
  queue: 'mail',
  payload: z.object({ entryId: recordId }),
  dedupe: (payload) => `vacation-${payload.entryId}`,
  retry: { attempts: 5, backoffMs: 5000 },
});
