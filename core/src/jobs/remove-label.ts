import { z } from 'zod';
import { defineJob } from './define-job.ts';
import { recordId } from './record-id.ts';

/** Takes a deleted label from its messages, and then removes its row (D60). */
export const removeLabel = defineJob({
  name: 'mail.remove-label',
  queue: 'mail',
  payload: z.object({ labelId: recordId }),
  dedupe: (payload) => `label-${payload.labelId}`,
  retry: { attempts: 10, backoffMs: 5000 },
  isLast: true,
});
