import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { deliveryStates } from './email.ts';
import { id } from './fields.ts';

/** The most messages that one call asks about: those of a page. */
export const mostSentAsked = 100;

/** The state of a sent message for all of its recipients together. */
export const sentDeliveryDto = z.object({
  _id: z.string(),
  /** Worst state among the recipients. */
  state: z.enum(deliveryStates),
  recipients: z.number().int(),
  failed: z.number().int(),
  /** Recipients whose servers did not take it yet, and will be asked again. */
  delayed: z.number().int(),
  /** Recipients whose message an administrator holds back. */
  kept_back: z.number().int(),
});
export type SentDeliveryDto = z.infer<typeof sentDeliveryDto>;

/** `1,2,3` */
const idList = z
  .string()
  .transform((text) => text.split(','))
  .pipe(z.array(id).max(mostSentAsked, `At most ${mostSentAsked} messages at once`));

export const listSentDeliveries = endpoint({
  method: 'GET',
  path: '/mail/sent_deliveries',
  summary: `How sent messages of the logged-in person stand with all of their recipients, for ${mostSentAsked} ids at most`,
  needs: { model: 'sent', action: 'view' },
  query: z.object({ ids: idList }),
  answer: z.array(sentDeliveryDto),
});
