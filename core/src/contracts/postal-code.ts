import { z } from 'zod';
import { endpoint } from './endpoint.ts';

export const lookUpPostalCode = endpoint({
  method: 'GET',
  path: '/postal-code/:pin',
  summary: 'City and state of an Indian postal code, from the configured look-up (D26)',
  needs: 'self',
  params: z.object({ pin: z.string().regex(/^[1-9]\d{5}$/, 'Pin Code must be 6 digits') }),
  answer: z.object({ city: z.string(), state: z.string(), country: z.string() }),
});
