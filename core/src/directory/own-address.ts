import { maxAliases } from '../contracts/aliases.ts';
import { readRows } from '../database/run-sql.ts';
import { normaliseAddress } from '../mail/addresses.ts';
import type { User } from '../models/user.ts';
import type { Ctx } from '../context/context.ts';
import { findAddress } from './find-addresses.ts';

/**
 * Says whether a person may send as an address: their mailbox, or one of their aliases that is in
 * use. A group, a catch-all and a `+tag` only receive.
 */
export async function isOwnAddress(ctx: Ctx, user: Pick<User, 'id' | 'email'>, address: string): Promise<boolean> {
  const normal = normaliseAddress(address);
  if (normal === null) return false;
  if (normal === normaliseAddress(user.email)) return true;
  const row = await findAddress(ctx, { address: normal, plain: normal });
  return row !== null && String(row.userId) === String(user.id) && !row.deleted && Boolean(Number(row.active));
}

/** The aliases that a person may send from, by address: those in a domain that is in use. */
export async function findOwnAliases(ctx: Ctx, userId: string): Promise<string[]> {
  const rows = await readRows<{ address: string }>(
    ctx,
    `SELECT a.address FROM addresses a LEFT JOIN domains d ON d.id = a.domain_id
      WHERE a.user_id = ? AND a.kind = 'alias' AND d.deleted_at IS NULL AND COALESCE(d.active_status, 1)
      ORDER BY a.address LIMIT ${maxAliases}`,
    [userId],
  );
  return rows.map(({ address }) => address);
}
