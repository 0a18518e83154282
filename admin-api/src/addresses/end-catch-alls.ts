import { recordAuditOf } from '@selvage/core/access/audit';
import type { TxCtx } from '@selvage/core/context/context';
import { conflict } from '@selvage/core/errors';
import { Address } from '@selvage/core/models/address';
import { Domain } from '@selvage/core/models/domain';
import { Op } from 'sequelize';

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
  const domains = await Domain.findAll({ where: { catchAllId: addresses.map(({ id }) => id) }, ...options });
  await endEach(tx, domains, { addresses, sayWho: () => who });
}

/**
 * The same for every address of a domain, before the domain is deleted. The domain's own catch-all
 * stays, since it is restored with the domain.
 * @throws 409 `is_catch_all`
 */
export async function endCatchAllsIn(tx: TxCtx, { id, companyId }: Domain): Promise<void> {
  const options = { transaction: tx.tx, lock: tx.tx.LOCK.UPDATE };
  const where = { companyId, id: { [Op.ne]: id }, catchAllId: { [Op.ne]: null } };
  const domains = await Domain.findAll({ where, ...options });
  const targets = domains.flatMap(({ catchAllId }) => catchAllId ?? []);
  const addresses = await Address.findAll({ where: { id: targets, domainId: id }, ...options });
  await endEach(tx, domains, { addresses, sayWho: (address) => address });
}

/** Ends the catch-all of those of the domains whose catch-all is one of the addresses. */
async function endEach(
  tx: TxCtx,
  domains: readonly Domain[],
  { addresses, sayWho }: { addresses: readonly Address[]; sayWho: (address: string) => string },
): Promise<void> {
  const addressOf = new Map(addresses.map(({ id, address }) => [String(id), address]));
  const ended = domains.flatMap((domain) => {
    const address = addressOf.get(String(domain.catchAllId));
    return address === undefined ? [] : [{ domain, address }];
  });
  const used = ended.find(({ domain }) => domain.deletedAt === null);
  if (used) {
    const text = `${sayWho(used.address)} is the catch-all of ${used.domain.domainName}. Choose another one first.`;
    throw conflict(text, 'is_catch_all');
  }
  for (const { domain, address } of ended) {
    await domain.update({ catchAllId: null }, { transaction: tx.tx });
    await recordAuditOf(tx, domain, {
      action: 'domain:catch-all-set',
      entity: 'domain',
      details: { before: address, after: null },
    });
  }
}
