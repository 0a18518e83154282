import { z } from 'zod';
import { endpoint } from './endpoint.ts';

/** For how long a person may choose to be able to take back what they send; milliseconds (D29). */
export const undoLengths = [3_500, 5_000, 10_000, 20_000, 30_000] as const;

export const setUndoLength = endpoint({
  method: 'PUT',
  path: '/mailsetting/undo_length',
  summary: 'Chooses for how long a sent message can be taken back (D29)',
  needs: 'self',
  body: z.object({ undo_ms: z.literal([...undoLengths], { error: 'Choose one of the lengths' }) }),
  answer: z.object({ undo_ms: z.number().int() }),
});
