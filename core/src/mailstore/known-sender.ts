import { readRows } from '../database/run-sql.ts';
import type { Ctx } from '../context/context.ts';
import { dayMs } from '../utc-day.ts';

/** The most messages of a sender that are searched, over the whole host. */
const mostMessages = 500;

/**
 * Whether a person has earlier mail from the sender of a message. Null when that is not known,
 * since the sender has written so much to others of the host that a search would take too long.
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

/** Authenticated mail of a site counts once it is this old. */
const trustDays = 7;
/**
 * How many messages are searched: this many of the inbox, this many of the archive, and this many
 * of all other folders together, since a person may have a hundred. The newest of each folder are
 * read.
 */
const mostSought = 500;

/**
 * Whether a person had mail of a registered domain that passed DMARC, some days before a message
 * came. Mail in Junk or in the trash doesn't count. It reads up to 1,500 messages, so callers use
 * it only for suspicious messages.
 */
export async function hasTrustedSite(
  ctx: Ctx,
  { userId, site, before }: { userId: string; site: string; before: Date },
): Promise<boolean> {
  const folders = await readRows<{ id: string; role: string | null }>(
    ctx,
    `SELECT id, role FROM folders
      WHERE user_id = ? AND (role IN ('inbox', 'archive', 'snoozed') OR (role IS NULL AND removed_at IS NULL))`,
    [userId],
  );
  if (folders.length === 0) return false;
  const isOneOfMany = (role: string | null): boolean => role === null || role === 'snoozed';
  const share = Math.ceil(mostSought / folders.filter(({ role }) => isOneOfMany(role)).length);
  const since = new Date(before.getTime() - trustDays * dayMs);
  const newest = `(SELECT message_id FROM mailbox_entries FORCE INDEX (entries_page)
      WHERE folder_id = ? AND arrived_at < ? ORDER BY arrived_at DESC LIMIT ?)`;
  const rows = await readRows(
    ctx,
    `SELECT 1 FROM (${folders.map(() => newest).join(' UNION ALL ')}) e JOIN messages m ON m.id = e.message_id
      WHERE (m.from_address LIKE ? OR m.from_address LIKE ?)
        AND JSON_UNQUOTE(JSON_EXTRACT(m.authentication, '$.dmarc.result')) = 'pass' LIMIT 1`,
    [
      ...folders.flatMap(({ id, role }) => [String(id), since, isOneOfMany(role) ? share : mostSought]),
      `%@${site}`,
      `%.${site}`,
    ],
  );
  return rows.length > 0;
}
