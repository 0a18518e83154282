import type { Ctx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import type { MailboxEntry } from '../models/mailbox-entry.ts';

/**
 * Whether the time in which the sender of a message can still change or withdraw it is over. It is
 * not over for a scheduled message that a restore holds back, however late it is: the old host has
 * sent it already if its time has passed, and its sender must be able to keep it from being sent
 * twice.
 */
export async function isOnItsWay(
  ctx: Ctx,
  entry: Pick<MailboxEntry, 'id' | 'scheduledStatus' | 'undoUntil'>,
): Promise<boolean> {
  if (entry.undoUntil && entry.undoUntil.getTime() > Date.now()) return false;
  return !(entry.scheduledStatus && (await isHeldBack(ctx, String(entry.id))));
}

/** A scheduled message that a restore holds back has no time (backup/settle-restored.ts). */
async function isHeldBack(ctx: Ctx, entryId: string): Promise<boolean> {
  const rows = await readRows(
    ctx,
    `SELECT id FROM deliveries FORCE INDEX (deliveries_entry)
      WHERE entry_id = ? AND direction = 'out' AND state = 'held' AND reason = 'scheduled' AND next_attempt_at IS NULL
      LIMIT 1${ctx.tx ? ' FOR UPDATE' : ''}`,
    [entryId],
  );
  return rows.length > 0;
}
