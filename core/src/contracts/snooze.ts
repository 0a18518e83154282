import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { id } from './fields.ts';
import { sendTime } from './mail.ts';

/**
 * `until` null takes messages out of Snoozed at once: they go back to where they were. With
 * `whole_threads` each id stands for its conversation in its folder, up to that message; while
 * `is_left` is true the client calls again. `touched` says until when each message was snoozed
 * before, so that the client can undo the change.
 *
 * 422 at `until`: the time has passed or is more than a year ahead. 409 `not_in_inbox`: one of the
 * messages is neither in the inbox nor in Snoozed.
 */
export const snooze = endpoint({
  method: 'PUT',
  path: '/mail/snooze',
  summary: 'Takes up to 500 messages out of the inbox until a time, all or none (D61), or conversations',
  needs: 'self',
  body: z.object({
    email_id: z.array(id).min(1, 'email_id is required').max(500, 'At most 500 messages at once'),
    until: sendTime.nullable(),
    whole_threads: z.boolean().optional(),
  }),
  answer: z.object({
    touched: z.array(z.object({ _id: z.string(), until: z.string().nullable() })),
    is_left: z.boolean(),
  }),
});

/**
 * At `at` the host puts a notice into the conversation, unless an answer has come by then. With
 * `at` null there is no reminder any more.
 *
 * 422 at `at`: the time has passed or is more than a year ahead. 409 `not_sent_by_you`: it is no
 * message that the person has sent. 409 `too_many_reminders`: the person waits for answers to 200
 * messages.
 */
export const remindMe = endpoint({
  method: 'PUT',
  path: '/mail/reminder/:id',
  summary: 'Reminds the sender of a message at a time, unless an answer has come by then (D62)',
  needs: 'self',
  params: z.object({ id }),
  body: z.object({ at: sendTime.nullable() }),
  answer: z.object({ remind_at: z.string().nullable() }),
});
