import { z } from 'zod';
import { defineJob } from './define-job.ts';
import { recordId } from './record-id.ts';

/** Removes a permanently deleted company with its people, domains, roles and mail. */
export const eraseCompany = defineJob({
  name: 'directory.erase-company',
  queue: 'directory',
  payload: z.object({ companyId: recordId }),
  dedupe: (payload) => `erase-company-${payload.companyId}`,
  retry: { attempts: 20, backoffMs: 10_000 },
});
