import { z } from 'zod';
import { defineJob } from './define-job.ts';

/** Removes the bytes of a file that a draft no longer has, if nothing else refers to them. */
export const removeBlob = defineJob({
  name: 'mail.remove-blob',
  queue: 'mail',
  /** The SHA-256 of the bytes, hexadecimal. */
  payload: z.object({ blobKey: z.string().regex(/^[0-9a-f]{64}$/) }),
  dedupe: (payload) => `remove-blob-${payload.blobKey}`,
  retry: { attempts: 10, backoffMs: 5000 },
});
