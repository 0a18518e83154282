import { z } from 'zod';
import { endpoint } from './endpoint.ts';

/**
 * Largest report, bytes of its JSON. A client shortens the stack until the report fits; a larger
 * one is answered 413.
 */
export const maxClientErrorBytes = 4096;

export const reportClientError = endpoint({
  method: 'POST',
  path: '/client-errors',
  summary: 'Takes note of a failure of the web app in a browser; the log keeps its first words',
  needs: 'public',
  bodyLimit: maxClientErrorBytes,
  body: z.object({
    /** What the error says. Never text of a mail. */
    message: z.string(),
    stack: z.string().optional(),
    /** `location.pathname` of the page. */
    path: z.string(),
    /** Version of the web app, see web-version.ts; empty while developing. */
    version: z.string(),
  }),
  answer: z.undefined(),
});
