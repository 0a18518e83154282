import * as contracts from '@selvage/core/contracts/scheduled';
import type { ListedEntry } from '@selvage/core/mailstore/read-listed';
import { reschedule } from '@selvage/core/outbound/reschedule';
import { listScheduled, readSendTime } from '@selvage/core/outbound/scheduled';
import { signedIn } from '../http/request-context.ts';
import { type ApiRouter, route } from '../http/route.ts';
import { cutForRow, presentRowTexts } from './row-texts.ts';

/** Binds the calls about messages that wait for their time (D48). */
export function bindScheduled(router: ApiRouter): void {
  route(router, contracts.listScheduled, async (ctx, { query }) => {
    const { rows, total } = await listScheduled(ctx, { userId: signedIn(ctx).actor.userId, ...query });
    return { rows: rows.map(presentScheduled), total };
  });
  route(
    router,
    contracts.reschedule,
    async (ctx, { params, body }) => {
      const sendAt = readSendTime(body.send_at);
      await reschedule(ctx, { userId: signedIn(ctx).actor.userId, entryId: params.id, sendAt });
      return { send_at: sendAt.toISOString() };
    },
    { message: 'Scheduled' },
  );
  route(
    router,
    contracts.sendScheduledNow,
    async (ctx, { params }) => {
      const sendAt = new Date();
      await reschedule(ctx, { userId: signedIn(ctx).actor.userId, entryId: params.id, sendAt });
      return undefined;
    },
    { message: 'Message sent' },
  );
}

function presentScheduled({ entry, message, recipientCounts }: ListedEntry): contracts.ScheduledRowDto {
  return {
    _id: String(entry.id),
    ...presentRowTexts({
      recipient_emails_to: message.toList,
      recipient_emails_cc: message.ccList,
      recipient_emails_bcc: entry.bccList ?? [],
      subject: message.subject,
    }),
    recipients_count: recipientCounts.to + recipientCounts.cc + recipientCounts.bcc,
    body: cutForRow(message.preview, 'preview'),
    attachment_count: message.attachmentCount,
    send_at: (entry.undoUntil ?? entry.arrivedAt).toISOString(),
  };
}
