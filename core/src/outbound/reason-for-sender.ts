import type { Ctx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import type { Resolution } from '../directory/resolve-recipient.ts';
import type { ClaimedDelivery } from './deliveries.ts';

type Refused = Extract<Resolution, { kind: 'reject' | 'defer' }>;

/**
 * Why an address of this host takes no message, as its sender may know it. That a mailbox was there
 * and was deleted is for people of its own company. For others there is no such mailbox, as a
 * stranger is told at the door.
 */
export async function reasonForSender(
  ctx: Ctx,
  { id }: ClaimedDelivery,
  { reason, companyId }: Refused,
): Promise<Refused['reason']> {
  if (reason !== 'deleted_mailbox') return reason;
  const own = await readRows(ctx, 'SELECT 1 FROM deliveries WHERE id = ? AND company_id = ?', [id, companyId]);
  return own.length > 0 ? reason : 'unknown_recipient';
}
