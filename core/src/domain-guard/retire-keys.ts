import { dayMs } from '../utc-day.ts';
import type { Ctx } from '../context/context.ts';
import { changeRows } from '../database/run-sql.ts';

/**
 * Mail that the old key signed may be on its way for five days (RFC 5321 4.5.4.1), and receivers
 * check its signature when it arrives.
 */
export const keptMs = 7 * dayMs;

/**
 * Retires keys once a newer key of their domain has signed for seven days: their records may then
 * be taken out of the DNS. While the DNS of the domain is broken, the old record is better kept.
 * @returns how many were retired
 */
export async function retireOldKeys(ctx: Ctx, now = new Date()): Promise<number> {
  return await changeRows(
    ctx,
    `UPDATE dkim_keys k JOIN dkim_keys n ON n.domain_id = k.domain_id AND n.id > k.id
            JOIN domains d ON d.id = k.domain_id
        SET k.retired_at = ?
      WHERE k.retired_at IS NULL AND k.is_active = 1 AND n.is_active = 1 AND n.signs_since < ? AND d.health <> 3`,
    [now, new Date(now.getTime() - keptMs)],
  );
}
