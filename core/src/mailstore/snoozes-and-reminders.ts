import { readRows } from '../database/run-sql.ts';
import type { Ctx } from '../context/context.ts';
import type { MailboxEntry } from '../models/mailbox-entry.ts';

/** When snoozed entries come back into the inbox (D61), by entry id. */
export async function readSnoozes(
  ctx: Ctx,
  entries: readonly Pick<MailboxEntry, 'id' | 'snoozedStatus'>[],
): Promise<Map<string, Date>> {
  const ids = entries.filter(({ snoozedStatus }) => snoozedStatus).map(({ id }) => String(id));
  if (ids.length === 0) return new Map();
  const rows = await readRows<{ entryId: string; untilAt: Date }>(
    ctx,
    'SELECT entry_id AS entryId, until_at AS untilAt FROM snoozes WHERE entry_id IN (?)',
    [ids],
  );
  return new Map(rows.map(({ entryId, untilAt }) => [String(entryId), untilAt]));
}

/** When the senders of these entries are reminded of them (D62), by entry id. */
export async function readReminders(
  ctx: Ctx,
  entries: readonly Pick<MailboxEntry, 'id' | 'sendStatus'>[],
): Promise<Map<string, Date>> {
  const ids = entries.filter(({ sendStatus }) => sendStatus).map(({ id }) => String(id));
  if (ids.length === 0) return new Map();
  const rows = await readRows<{ entryId: string; dueAt: Date }>(
    ctx,
    'SELECT entry_id AS entryId, due_at AS dueAt FROM answer_reminders WHERE entry_id IN (?)',
    [ids],
  );
  return new Map(rows.map(({ entryId, dueAt }) => [String(entryId), dueAt]));
}

/** When the sender of a message is reminded of it; null when they don't wait for an answer. */
export async function readReminder(ctx: Ctx, { id, sendStatus, scheduledStatus }: MailboxEntry): Promise<Date | null> {
  if (!sendStatus && !scheduledStatus) return null;
  const [row] = await readRows<{ dueAt: Date }>(
    ctx,
    'SELECT due_at AS dueAt FROM answer_reminders WHERE entry_id = ?',
    [String(id)],
  );
  return row?.dueAt ?? null;
}
