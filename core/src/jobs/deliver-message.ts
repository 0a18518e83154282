import { z } from 'zod';
import { defineJob } from './define-job.ts';

/**
 * Wakes a worker, which reads from the ledger which deliveries are due. So one job serves any
 * number of deliveries, and a lost job delays them only until the next sweep.
 */
export const deliverMessage = defineJob({
  name: 'outbound.deliver',
  queue: 'outbound',
  payload: z.object({}),
  dedupe: () => 'deliver',
  retry: { attempts: 1 },
});
