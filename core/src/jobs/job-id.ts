import { z } from 'zod';

/** A record's id in a job's payload. */
export const jobId = z.string().regex(/^\d{1,20}$/);
