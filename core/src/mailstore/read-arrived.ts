import type { Ctx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';

/** The fields of new mail that a window announces. */
export interface Arrived {
  entryId: string;
  fromName: string;
  fromAddress: string;
  subject: string;
}

/**
 * The given entries of a person that are still in the inbox; moved ones are no longer announced.
 */
export async function readArrived(ctx: Ctx, userId: string, entryIds: readonly string[]): Promise<Arrived[]> {
  if (entryIds.length === 0) return [];
  const rows = await readRows<Arrived>(
    ctx,
    `SELECT e.id AS entryId, m.from_name AS fromName, m.from_address AS fromAddress, m.subject
       FROM mailbox_entries e JOIN messages m ON m.id = e.message_id
      WHERE e.id IN (?) AND e.user_id = ? AND e.folder = 'inbox' ORDER BY e.id`,
    [entryIds, userId],
  );
  return rows.map((row) => ({ ...row, entryId: String(row.entryId) }));
}
