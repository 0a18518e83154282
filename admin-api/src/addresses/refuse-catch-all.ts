import type { TxCtx } from '@selvage/core/context/context';
import { conflict } from '@selvage/core/errors';
import { Address } from '@selvage/core/models/address';
import { Domain } from '@selvage/core/models/domain';

/**
 * Refuses to delete the target of a catch-all: a catch-all that ended without a word would turn
 * mail away that its domain is to take.
 * @param who begins the sentence: `This group`
 * @throws 409 `is_catch_all`
 */
export async function refuseCatchAll(
  tx: TxCtx,
  target: { groupId: string } | { userId: string },
  who: string,
): Promise<void> {
  const options = { transaction: tx.tx, lock: tx.tx.LOCK.UPDATE };
  const addresses = await Address.findAll({ where: target, ...options });
  const catchAllId = addresses.map(({ id }) => String(id));
  const domain = await Domain.findOne({ where: { catchAllId }, ...options });
  if (!domain) return;
  throw conflict(`${who} is the catch-all of ${domain.domainName}. Choose another one first.`, 'is_catch_all');
}
