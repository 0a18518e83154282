import { z } from 'zod';
import { defineJob } from './define-job.ts';
import { recordId } from './record-id.ts';

/** The selector of the key that a new domain gets. */
export const defaultSelector = 'default';

/** Makes the key pair of a domain's selector if it is missing. */
export const generateDkim = defineJob({
  name: 'domain.generate-dkim',
  queue: 'domain',
  payload: z.object({ domainId: recordId, selector: z.string().regex(/^[a-z0-9-]{1,63}$/) }),
  dedupe: (payload) => `dkim-${payload.domainId}-${payload.selector}`,
  retry: { attempts: 10, backoffMs: 2000 },
});
