import type { TxCtx } from '../context/context.ts';
import { changeRows } from '../database/run-sql.ts';

/**
 * Notes in a person's row whether they have rules, so that a delivery to a person without rules
 * needs no query for them. The caller has changed the rules in this transaction, and holds the row
 * locked.
 */
export async function noteRules(ctx: TxCtx, userId: string): Promise<void> {
  await changeRows(
    ctx,
    `UPDATE users u
        SET has_blocked = EXISTS (SELECT 1 FROM blocked_senders b WHERE b.user_id = u.id),
            has_filters = EXISTS (SELECT 1 FROM mail_filters f WHERE f.user_id = u.id AND f.is_on = 1)
      WHERE u.id = ?`,
    [userId],
  );
}
