import { recordAuditOf } from '@selvage/core/access/audit';
import type { TxCtx } from '@selvage/core/context/context';
import { conflict } from '@selvage/core/errors';
import { Address } from '@selvage/core/models/address';
import { Domain } from '@selvage/core/models/domain';

/**
 * Ends the catch-alls of deleted domains before their target is deleted. That of a domain in use
 * stays, and the target with it: a catch-all that ended silently would turn away mail that its
 * domain is to take.
 * @param who begins the sentence: `This group`
 * @throws 409 `is_catch_all`
 */
export async function endCatchAlls(
  tx: TxCtx,
  target: { groupId: string } | { userId: string },
  who: string,
): Promise<void> {
  const options = { transaction: tx.tx, lock: tx.tx.LOCK.UPDATE };
  const addresses = await Address.findAll({ where: target, ...options });
  const addressOf = new Map(addresses.map(({ id, address }) => [String(id), address]));
  const domains = await Domain.findAll({ where: { catchAllId: [...addressOf.keys()] }, ...options });
  const used = domains.find(({ deletedAt }) => deletedAt === null);
  if (used) throw conflict(`${who} is the catch-all of ${used.domainName}. Choose another one first.`, 'is_catch_all');
  for (const domain of domains) {
    const before = addressOf.get(String(domain.catchAllId));
    await domain.update({ catchAllId: null }, { transaction: tx.tx });
    await recordAuditOf(tx, domain, {
      action: 'domain:catch-all-set',
      entity: 'domain',
      details: { before, after: null },
    });
  }
}
