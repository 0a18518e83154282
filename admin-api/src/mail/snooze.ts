import * as contracts from '@selvage/core/contracts/snooze';
import { parseFutureTime } from '@selvage/core/mailstore/parse-future-time';
import { snooze, snoozeThreads } from '@selvage/core/mailstore/snooze';
import { setReminder } from '@selvage/core/outbound/answer-reminders';
import { signedIn } from '../http/request-context.ts';
import { type ApiRouter, route } from '../http/route.ts';

/** Binds the calls about messages that come back at a chosen time (D61, D62). */
export function bindSnooze(router: ApiRouter): void {
  route(
    router,
    contracts.snooze,
    async (ctx, { body }) => {
      const until = body.until === null ? null : parseFutureTime(body.until, { field: 'until' });
      const change = { userId: signedIn(ctx).actor.userId, entryIds: body.email_id, until };
      const { touched, isLeft } = body.whole_threads
        ? await snoozeThreads(ctx, change)
        : { touched: await snooze(ctx, change), isLeft: false };
      return {
        touched: touched.map(({ id, before }) => ({ _id: id, until: before?.toISOString() ?? null })),
        is_left: isLeft,
      };
    },
    { message: 'Snoozing changed' },
  );
  route(
    router,
    contracts.remindMe,
    async (ctx, { params, body }) => {
      const at = body.at === null ? null : parseFutureTime(body.at, { field: 'at' });
      await setReminder(ctx, { userId: signedIn(ctx).actor.userId, entryId: params.id, at });
      return { remind_at: at?.toISOString() ?? null };
    },
    { message: 'Reminder changed' },
  );
}
