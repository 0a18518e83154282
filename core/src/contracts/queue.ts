import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { id } from './fields.ts';
import { asList } from './list.ts';

/**
 * What can be done with mail that waits. `retry`: try it now. `hold`: keep it back until it is
 * released. `give_up`: end it as not delivered; its sender is told.
 */
export const queueActions = ['retry', 'hold', 'release', 'give_up'] as const;
export type QueueActionName = (typeof queueActions)[number];
const action = z.enum(queueActions, { error: `Choose one of these: ${queueActions.join(', ')}` });

/** Outgoing mail that waits for one domain for one reason. Times are ISO 8601, UTC. */
export const queueGroupDto = z.object({
  /** Domain, state and reason. */
  _id: z.string(),
  domain: z.string(),
  /** `held`: by an administrator. */
  state: z.enum(['queued', 'held']),
  reason: z.string(),
  /** How many recipients. */
  count: z.number().int(),
  /** How many of them are being sent at this moment. */
  sending: z.number().int(),
  next_attempt_at: z.string().nullable(),
  /** Since when the oldest one waits. */
  oldest: z.string(),
  /** What a server said last about one of them, as one line. */
  reply: z.string().nullable(),
  /** All that waits for the domain, for any reason: rows of the queue, and recipients by state. */
  of_domain: z.object({ rows: z.number().int(), queued: z.number().int(), held: z.number().int() }),
});
export type QueueGroupDto = z.infer<typeof queueGroupDto>;

const changeNeeds = { model: 'domain', action: 'edit' } as const;

export const listQueue = endpoint({
  method: 'GET',
  path: '/queue/get/all',
  summary: 'The outgoing mail of the company, or of all for people of the provider, that waits, by domain and reason',
  needs: { model: 'permission', action: 'view' },
  ...asList({ sort: ['count'], defaultSort: '-count', filters: {} }),
  answer: z.array(queueGroupDto),
});

/**
 * Changes a part of the mail, 500 at most, and says whether there may be more. Then the caller
 * repeats the call with the `before` of the first answer. Mail that is being sent at this moment is
 * left alone.
 */
export const changeQueue = endpoint({
  method: 'POST',
  path: '/queue/change',
  summary: 'Retries, holds, releases or gives up the mail that waits for a domain or of a sender, a part of it a call',
  needs: changeNeeds,
  body: z
    .object({
      action,
      domain: z.string().trim().toLowerCase().min(1, 'Domain is required').max(255).optional(),
      /** The address of the envelope's sender. */
      sender: z.string().trim().toLowerCase().min(1, 'Sender is required').max(320).optional(),
      reason: z.string().max(40).optional(),
      before: z.iso.datetime({ offset: true, error: 'Not a moment' }).optional(),
    })
    .refine(({ domain, sender }) => (domain === undefined) !== (sender === undefined), {
      path: ['domain'],
      error: 'Name either a domain or a sender',
    }),
  answer: z.object({ changed: z.number().int(), has_more: z.boolean(), before: z.string() }),
});

/**
 * 409 `not_waiting`: it is being sent, or it has ended, or there is nothing to release, or a
 * restore holds it back.
 */
export const changeDelivery = endpoint({
  method: 'POST',
  path: '/queue/change/:id',
  summary: 'Retries, holds, releases or gives up one message for one recipient',
  needs: changeNeeds,
  params: z.object({ id }),
  body: z.object({ action }),
  answer: z.undefined(),
});
