import { z } from 'zod';
import { defineJob } from './define-job.ts';
import { recordId } from './record-id.ts';

/** Removes the rows of a permanently deleted person, and the mail that no other person has. */
export const eraseUser = defineJob({
  name: 'directory.erase-user',
  queue: 'directory',
  payload: z.object({ userId: recordId }),
  dedupe: (payload) => `erase-user-${payload.userId}`,
  retry: { attempts: 20, backoffMs: 10_000 },
});
