import { saveForm } from '@selvage/core/access/save-form';
import { findInScope, readInScope } from '@selvage/core/access/scope';
import { type Ctx, inTransaction, type TxCtx } from '@selvage/core/context/context';
import type { CatchAllDto, setCatchAll } from '@selvage/core/contracts/catch-all';
import type { InferBody } from '@selvage/core/contracts/endpoint';
import { normaliseAddress } from '@selvage/core/mail/addresses';
import { Address } from '@selvage/core/models/address';
import { Domain } from '@selvage/core/models/domain';
import { User } from '@selvage/core/models/user';
import { refuseDeleted } from '../http/record-state.ts';
import type { SignedIn } from '../http/request-context.ts';
import { wrong } from '../users/guard-user.ts';
import { presentCatchAll, readTargets } from './present-catch-all.ts';

/** @throws 404 */
export async function readCatchAll(ctx: SignedIn, domainId: string): Promise<CatchAllDto> {
  return await present(ctx, await readInScope(ctx, Domain, domainId));
}

/**
 * Chooses the person or the group of the company that gets mail for unknown names of a domain. An
 * empty address ends the catch-all.
 * @throws 404, 409 `deleted` or `changed_meanwhile`, 422 at `address`
 */
export async function changeCatchAll(
  ctx: SignedIn,
  domainId: string,
  { address: typed, version }: InferBody<typeof setCatchAll>,
): Promise<CatchAllDto> {
  return await inTransaction(ctx, async (tx) => {
    const domain = await findInScope(tx, Domain, domainId);
    refuseDeleted(domain);
    const before = await present(tx, domain);
    const target = typed === '' ? null : await findTarget(tx, String(domain.companyId), typed);
    await saveForm(tx, domain, {
      changes: { catchAllId: target && String(target.id) },
      fields: { catchAllId: 'address' },
      startedFrom: version,
      entity: 'domain',
      action: 'domain:catch-all-set',
      details: { before: before.address, after: target?.address ?? null },
      present: () => present(tx, domain),
    });
    return await present(tx, domain);
  });
}

/**
 * The mailbox or group at an address. An alias can't be a catch-all, since deleting the alias would
 * silently end the catch-all.
 */
async function findTarget(tx: TxCtx, companyId: string, typed: string): Promise<Address> {
  const where = { address: normaliseAddress(typed) ?? '', companyId, kind: ['mailbox', 'group'] };
  const options = { transaction: tx.tx, lock: tx.tx.LOCK.SHARE };
  const target = await Address.findOne({ where, ...options });
  const person = target?.userId ? await User.findByPk(target.userId, options) : null;
  const domain = target?.domainId ? await Domain.findByPk(target.domainId, options) : null;
  if (!target || person?.deletedAt || domain?.deletedAt)
    throw wrong('address', 'Choose a person or a group of the company');
  return target;
}

async function present(ctx: Ctx, domain: Domain): Promise<CatchAllDto> {
  return presentCatchAll(domain, await readTargets(ctx, [domain]));
}
