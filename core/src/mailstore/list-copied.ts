import { escapeLike } from '../database/escape-like.ts';
import { searchWords } from '../contracts/list.ts';
import type { Ctx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import type { MailCopy } from '../models/mail-copy.ts';
import { type CopiedMessage, readCopied } from './find-copied.ts';
import { readSlice } from './read-page.ts';

/** A page of a copy, or of a search in it. */
export interface CopiedPageRequest {
  viewerId: string;
  copy: MailCopy;
  isSent: boolean;
  search?: string | undefined;
  /** From 1. */
  page: number;
  limit: number;
}

/** The most messages that a search reads, the newest ones. */
const searchedMessages = 100_000;

/** One page of a copy, newest first, and how many messages there are. */
export async function listCopied(
  ctx: Ctx,
  { viewerId, copy, isSent, search, page, limit }: CopiedPageRequest,
): Promise<{ rows: CopiedMessage[]; total: number }> {
  const place = { copyId: String(copy.id), isSent };
  const offset = (page - 1) * limit;
  if (search !== undefined) return await searchCopied(ctx, { ...place, viewerId, search, offset, limit });
  const total = isSent ? copy.sentCount : copy.receivedCount;
  const ids = await readSlice({ total, offset, limit }, async (order, skip, count) => {
    const rows = await readRows<{ id: string }>(
      ctx,
      `SELECT id FROM copied_entries FORCE INDEX (copied_entries_page) WHERE copy_id = ? AND is_sent = ?
        ORDER BY arrived_at ${order}, id ${order} LIMIT ? OFFSET ?`,
      [place.copyId, isSent, count, skip],
    );
    return rows.map(({ id }) => String(id));
  });
  return { rows: await readCopied(ctx, viewerId, ids), total };
}

interface CopiedSearch {
  copyId: string;
  isSent: boolean;
  viewerId: string;
  search: string;
  offset: number;
  limit: number;
}

/** Each word must occur in the subject, or in the sender's name or address. */
async function searchCopied(
  ctx: Ctx,
  { copyId, isSent, viewerId, search, offset, limit }: CopiedSearch,
): Promise<{ rows: CopiedMessage[]; total: number }> {
  const words = searchWords(search);
  const condition = words
    .map(() => '(m.subject LIKE ? OR m.from_name LIKE ? OR CONVERT(m.from_address USING utf8mb4) LIKE ?)')
    .join(' AND ');
  const patterns = words.flatMap((word) => {
    const pattern = `%${escapeLike(word)}%`;
    return [pattern, pattern, pattern];
  });
  const matches = `FROM (SELECT id, message_id, arrived_at FROM copied_entries FORCE INDEX (copied_entries_page)
              WHERE copy_id = ? AND is_sent = ? ORDER BY arrived_at DESC, id DESC LIMIT ${searchedMessages}) c
       JOIN messages m ON m.id = c.message_id
      WHERE ${condition}`;
  const values = [copyId, isSent, ...patterns];
  const found = await readRows<{ id: string; total: number }>(
    ctx,
    `SELECT c.id, COUNT(*) OVER () AS total ${matches} ORDER BY c.arrived_at DESC, c.id DESC LIMIT ? OFFSET ?`,
    [...values, limit, offset],
  );
  const rows = await readCopied(
    ctx,
    viewerId,
    found.map(({ id }) => String(id)),
  );
  if (found.length > 0 || offset === 0) return { rows, total: Number(found[0]?.total ?? 0) };
  // A page beyond the last one has no row with the total
  const [counted] = await readRows<{ total: number }>(ctx, `SELECT COUNT(*) AS total ${matches}`, values);
  return { rows: [], total: Number(counted?.total ?? 0) };
}
