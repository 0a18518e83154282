import { z } from 'zod';
import { defineJob } from './define-job.ts';
import { recordId } from './record-id.ts';

/**
 * Moves the mail of a folder that its owner has deleted to the trash, and removes its row (D63).
 */
export const emptyDeletedFolder = defineJob({
  name: 'mail.empty-deleted-folder',
  queue: 'mail',
  payload: z.object({ folderId: recordId }),
  dedupe: (payload) => `folder-${payload.folderId}`,
  retry: { attempts: 10, backoffMs: 5000 },
  isLast: true,
});
