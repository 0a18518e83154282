import { recordAudit } from '@selvage/core/access/audit';
import { findInScope, readInScope } from '@selvage/core/access/scope';
import { inTransaction, type TxCtx } from '@selvage/core/context/context';
import { type AliasDto, maxAliases } from '@selvage/core/contracts/aliases';
import { conflict, notFound } from '@selvage/core/errors';
import { Address } from '@selvage/core/models/address';
import { User } from '@selvage/core/models/user';
import { refuseDeleted } from '../http/record-state.ts';
import type { SignedIn } from '../http/request-context.ts';
import { findGoverned } from '../users/guard-user.ts';
import { claimAddress, placeAddress } from './claim-address.ts';

const kind = 'alias' as const;

/** @throws 404 */
export async function findAliases(ctx: SignedIn, userId: string): Promise<AliasDto[]> {
  await readInScope(ctx, User, userId);
  const aliases = await Address.findAll({ where: { userId, kind }, order: [['address', 'ASC']] });
  return aliases.map(presentAlias);
}

/**
 * Gives a person a further address in a domain of their company.
 * @throws 403 `outranked`, 404, 409 `address_taken`, `deleted` or `too_many_aliases`, 422
 */
export async function addAlias(ctx: SignedIn, userId: string, typed: string): Promise<AliasDto> {
  return await inTransaction(ctx, async (tx) => {
    const { user } = await findGoverned(tx, userId);
    refuseDeleted(user);
    if ((await Address.count({ where: { userId, kind }, transaction: tx.tx })) >= maxAliases) {
      throw conflict(`A person has at most ${maxAliases} aliases.`, 'too_many_aliases');
    }
    const placed = await placeAddress(tx, String(user.companyId), typed);
    const made = await claimAddress(tx, placed, { kind, userId });
    await audit(tx, user, 'alias:added', made.address);
    return presentAlias(made);
  });
}

/**
 * Deletes an alias. Its address can be used again from now on.
 * @throws 403 `outranked`, 404
 */
export async function dropAlias(ctx: SignedIn, id: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const { userId } = await findAlias(tx, id);
    // Locks the person before the alias, in the same order as `addAlias`, to prevent a deadlock
    const { user } = await findGoverned(tx, userId);
    const alias = await findInScope(tx, Address, id);
    await alias.destroy({ transaction: tx.tx });
    await audit(tx, user, 'alias:removed', alias.address);
  });
}

async function findAlias(tx: TxCtx, id: string): Promise<{ userId: string }> {
  const found = await readInScope(tx, Address, id);
  if (found.kind !== kind || !found.userId) throw notFound('alias');
  return { userId: String(found.userId) };
}

function presentAlias({ id, address, createdAt }: Address): AliasDto {
  return { _id: String(id), address, createdAt: createdAt.toISOString() };
}

async function audit(tx: TxCtx, user: User, action: 'alias:added' | 'alias:removed', address: string): Promise<void> {
  const [entityId, companyId] = [String(user.id), String(user.companyId)];
  await recordAudit(tx, { action, entity: 'user', entityId, companyId, details: { address } });
}
