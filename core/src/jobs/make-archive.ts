import { z } from 'zod';
import { defineJob } from './define-job.ts';
import { recordId } from './record-id.ts';

/** Works on the archive of a company for some seconds (D66). */
export const makeArchive = defineJob({
  name: 'directory.make-archive',
  queue: 'directory',
  payload: z.object({ archiveId: recordId }),
  dedupe: (payload) => `make-archive-${payload.archiveId}`,
  retry: { attempts: 5, backoffMs: 10_000 },
});
