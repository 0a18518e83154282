import { z } from 'zod';

/** The id of a record, in the payload of a job. */
export const recordId = z.string().regex(/^\d{1,20}$/);
