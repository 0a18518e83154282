import { z } from 'zod';
import { rowCore } from './email.ts';
import { endpoint } from './endpoint.ts';
import { id, limit, page } from './fields.ts';
import { sendTime } from './mail.ts';

/**
 * A message that waits for its time (D48). `body` is a short plain-text preview. Long texts are
 * cut.
 */
export const scheduledRowDto = z.object({
  _id: z.string(),
  recipient_emails_to: z.array(z.string()),
  recipient_emails_cc: z.array(z.string()),
  recipient_emails_bcc: z.array(z.string()),
  ...rowCore,
  subject: z.string(),
  body: z.string(),
  attachment_count: z.number().int(),
  /** When it leaves, ISO 8601, UTC. */
  send_at: z.string(),
});
export type ScheduledRowDto = z.infer<typeof scheduledRowDto>;

export const listScheduled = endpoint({
  method: 'GET',
  path: '/mail/scheduled',
  summary: 'One page of the scheduled messages of the logged-in person, the one that leaves first at the top (D48)',
  needs: { model: 'sent', action: 'view' },
  query: z.object({ page, limit }),
  answer: z.array(scheduledRowDto),
  paged: true,
});

/**
 * The Date of the message becomes the new time. 409 `too_late_to_undo`: its time has come. To
 * cancel it, `undo_send` turns it back into a draft.
 */
export const reschedule = endpoint({
  method: 'PUT',
  path: '/mail/scheduled/:id',
  summary: 'Gives a scheduled message another time, from 2 minutes to a year ahead (D48)',
  needs: { model: 'sent', action: 'edit' },
  params: z.object({ id }),
  body: z.object({ send_at: sendTime }),
  answer: z.object({ send_at: z.string() }),
});

export const sendScheduledNow = endpoint({
  method: 'POST',
  path: '/mail/scheduled/:id/send_now',
  summary: 'Sends a scheduled message at once (D48)',
  needs: { model: 'sent', action: 'create' },
  params: z.object({ id }),
  answer: z.undefined(),
});
