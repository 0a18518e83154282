import { z } from 'zod';
import { defineJob } from './define-job.ts';
import { jobId } from './job-id.ts';

/** Attempts one delivery. The delivery's row holds the schedule; the job only wakes a worker. */
export const deliverMessage = defineJob({
  name: 'outbound.deliver',
  queue: 'outbound',
  payload: z.object({ deliveryId: jobId, attempt: z.int().min(0) }),
  dedupe: (payload) => `deliver-${payload.deliveryId}-${payload.attempt}`,
  retry: { attempts: 1 },
});
