import { z } from 'zod';
import { defineJob } from './define-job.ts';
import { recordId } from './record-id.ts';

/**
 * Works on a copy of a mailbox for some seconds: fills it, or empties it once it is removed (D54).
 */
export const copyMailbox = defineJob({
  name: 'directory.copy-mailbox',
  queue: 'directory',
  payload: z.object({ copyId: recordId }),
  dedupe: (payload) => `copy-mailbox-${payload.copyId}`,
  retry: { attempts: 20, backoffMs: 10_000 },
});
