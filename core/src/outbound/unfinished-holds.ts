import type { Ctx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import { holdSentMail } from '../jobs/hold-sent-mail.ts';
import { leftAloneMs } from '../mailstore/unfinished-removals.ts';
import { workThrough } from '../sweeps/work-through.ts';
import { holdMailOf } from './hold-sent-mail.ts';

/**
 * Holds the mail of people who were barred, once more, a minute after the job was announced: Redis
 * may have lost the job, or may be away. No row says whether the job was done. Mail that an
 * administrator releases within this minute, and that could not leave at once, is held again.
 * @param since the moment that the last call returned; empty at first
 * @returns the moment up to which jobs were looked at; the same as before if a person has mail left
 *   that could not be held
 */
export async function resumeHolds(
  ctx: Ctx,
  since: string,
  signal?: AbortSignal,
  now = Date.now(),
): Promise<{ held: number; upTo: string }> {
  const upTo = new Date(now - leftAloneMs);
  const from = since === '' ? upTo : new Date(Math.min(Date.parse(since), upTo.getTime()));
  const rows = await readRows<{ userId: string }>(
    ctx,
    `SELECT JSON_VALUE(payload, '$.userId') AS userId FROM outbox FORCE INDEX (outbox_due)
      WHERE relayed_at > ? AND relayed_at <= ? AND job_name = ?
      UNION
     SELECT JSON_VALUE(payload, '$.userId') FROM outbox FORCE INDEX (outbox_due)
      WHERE relayed_at IS NULL AND available_at <= ? AND job_name = ?`,
    [from, upTo, holdSentMail.name, upTo, holdSentMail.name],
  );
  const hold = async (userId: string): Promise<boolean> => !(await holdMailOf(ctx, userId));
  const userIds = rows.map(({ userId }) => userId);
  const held = await workThrough(userIds, hold, { failure: 'the mail of a person could not be held', signal });
  return { held, upTo: held < userIds.length ? from.toISOString() : upTo.toISOString() };
}
