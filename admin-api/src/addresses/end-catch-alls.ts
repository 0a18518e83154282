import { recordAuditOf } from '@selvage/core/access/audit';
import type { TxCtx } from '@selvage/core/context/context';
import { conflict } from '@selvage/core/errors';
import { Address } from '@selvage/core/models/address';
import { Domain } from '@selvage/core/models/domain';

/**
 * Removes a person or group as the catch-all of deleted domains, before the person or group is
 * deleted. Refuses when a domain that is not deleted uses it as its catch-all: ending that silently
 * would make the host reject mail which the domain should accept.
 * @param who begins the sentence of the error: `This group`
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
