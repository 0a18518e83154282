import { escape } from 'mysql2';
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

/** So much of a conversation is looked at in each folder beside Sent. */
const mostOfConversation = 500;

/**
 * Whether a person has written into a conversation. What they sent lies in Sent, unless they have
 * put it elsewhere.
 */
export async function hasWrittenIn(
  ctx: Ctx,
  { userId, threadKey }: { userId: string; threadKey: string },
): Promise<boolean> {
  const kept = await readRows<{ folderId: string; role: string | null }>(
    ctx,
    `SELECT t.folder_id AS folderId, f.role FROM folders f
       JOIN folder_threads t ON t.folder_id = f.id AND t.thread_key = ?
      WHERE f.user_id = ? AND (f.role IS NULL OR f.role IN ('inbox', 'sent', 'archive', 'snoozed', 'trash'))`,
    [threadKey, userId],
  );
  if (kept.some(({ role }) => role === 'sent')) return true;
  if (kept.length === 0) return false;
  const newest = kept.map(
    ({ folderId }) =>
      `(SELECT send_status FROM mailbox_entries FORCE INDEX (entries_conversation)
         WHERE folder_id = ${escape(folderId)} AND thread_key = ${escape(threadKey)}
         ORDER BY arrived_at DESC, id DESC LIMIT ${mostOfConversation})`,
  );
  const rows = await readRows<{ one: number }>(
    ctx,
    `SELECT 1 AS one FROM (${newest.join(' UNION ALL ')}) e WHERE e.send_status LIMIT 1`,
    [],
  );
  return rows.length > 0;
}
