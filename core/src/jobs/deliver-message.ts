import { z } from 'zod';
import { defineJob } from './define-job.ts';

/**
 * Wakes a worker: there may be deliveries that are due. Which ones, their rows tell. So one job
 * serves any number of deliveries, and its loss costs no more than the time to the next sweep.
 */
export const deliverMessage = defineJob({
  name: 'outbound.deliver',
  queue: 'outbound',
  payload: z.object({}),
  dedupe: () => 'deliver',
  retry: { attempts: 1 },
});
