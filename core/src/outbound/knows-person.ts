import type { Ctx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import { findAddress } from '../directory/find-addresses.ts';
import { findOwnAliases } from '../directory/own-address.ts';
import { normaliseAddress } from '../mail/addresses.ts';
import type { User } from '../models/user.ts';

/** Only this many deliveries of a company to an address are checked, the latest ones. */
const mostDeliveries = 500;

/**
 * Whether a person knows the owner of an address: a colleague, or a person that they have written
 * to as far back as the ledger goes (D68). Messages that were taken back do not count.
 */
export async function knowsPerson(ctx: Ctx, user: User, address: string): Promise<boolean> {
  const row = await findAddress(ctx, { address, plain: address });
  if (row !== null && String(row.companyId) === String(user.companyId)) return true;
  const own = [user.email, ...(await findOwnAliases(ctx, String(user.id)))].map((one) => normaliseAddress(one) ?? one);
  const known = await readRows(
    ctx,
    `SELECT 1 FROM (
       SELECT id FROM deliveries WHERE recipient_key = ? AND company_id = ? ORDER BY created_at DESC LIMIT ${mostDeliveries}
     ) last JOIN deliveries d ON d.id = last.id
      WHERE d.direction = 'out' AND d.state <> 'cancelled' AND d.sender_key IN (?) LIMIT 1`,
    [address.toLowerCase(), String(user.companyId), own.map((one) => one.toLowerCase())],
  );
  return known.length > 0;
}
