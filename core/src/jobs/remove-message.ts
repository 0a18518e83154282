import { z } from 'zod';
import { defineJob } from './define-job.ts';
import { recordId } from './record-id.ts';

/** Removes a message and its blob if no person has an entry of it any more. */
export const removeMessage = defineJob({
  name: 'mail.remove-message',
  queue: 'mail',
  payload: z.object({ messageId: recordId }),
  dedupe: (payload) => `remove-${payload.messageId}`,
  retry: { attempts: 10, backoffMs: 5000 },
});
