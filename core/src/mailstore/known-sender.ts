import { readRows } from '../database/run-sql.ts';
import type { Ctx } from '../context/context.ts';

/** A sender that has written more than this to the whole host is not looked for further. */
const mostMessages = 500;

/**
 * Whether a person has earlier mail from the sender of a message. Null when that would take too
 * long to tell: the sender has written very much to others of the host.
 */
export async function hasEarlierMail(
  ctx: Ctx,
  { userId, messageId, address }: { userId: string; messageId: string; address: string },
): Promise<boolean | null> {
  const [row] = await readRows<{ seen: number; known: number | null }>(
    ctx,
    `SELECT COUNT(*) AS seen, MAX(e.id IS NOT NULL) AS known
       FROM (SELECT id FROM messages WHERE from_address = ? AND id < ? ORDER BY id DESC LIMIT ${mostMessages}) m
       LEFT JOIN mailbox_entries e ON e.message_id = m.id AND e.user_id = ?`,
    [address, messageId, userId],
  );
  if (Number(row?.known ?? 0) === 1) return true;
  return Number(row?.seen ?? 0) >= mostMessages ? null : false;
}
