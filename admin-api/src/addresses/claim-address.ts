import { holdsPermission } from '@selvage/core/access/effective-permissions';
import type { Ctx, TxCtx } from '@selvage/core/context/context';
import { builtInRole } from '@selvage/core/contracts/permissions';
import { canHaveAddresses } from '@selvage/core/directory/domain-proof';
import { isOwnersName } from '@selvage/core/directory/resolve-recipient';
import { type AppError, conflict } from '@selvage/core/errors';
import { domainOf } from '@selvage/core/mail/address-rules';
import { normaliseAddress } from '@selvage/core/mail/addresses';
import { Address } from '@selvage/core/models/address';
import { Domain } from '@selvage/core/models/domain';
import { UniqueConstraintError } from 'sequelize';
import { wrong } from '../users/guard-user.ts';

/** An address as it is stored, with its company and its domain. */
export interface Placed {
  address: string;
  companyId: string;
  domainId: string;
}

/** The person or group that gets mail for an address. */
type Owner = { kind: 'alias'; userId: string } | { kind: 'group'; groupId: string };

/**
 * Finds the domain of an address for an alias or a group, and locks its row, so that it can't be
 * deleted meanwhile.
 * @throws 422 at `address` when it is no address, or in no domain of the company
 */
export async function placeAddress(tx: TxCtx, companyId: string, typed: string): Promise<Placed> {
  const address = normaliseAddress(typed);
  if (!address) throw wrong('address', 'Invalid email format');
  const where = { companyId, domainName: domainOf(address), ...canHaveAddresses };
  const domain = await Domain.findOne({ where, transaction: tx.tx, lock: tx.tx.LOCK.SHARE });
  if (!domain) throw wrong('address', 'The address must be in a verified domain of the company');
  const problem = ownersNameProblem(tx, { companyId, address });
  if (problem) throw wrong('address', problem);
  return { address, companyId, domainId: String(domain.id) };
}

/**
 * Why the caller may not give an address to a person or a group; null when they may. The reader of
 * the mail for a name such as postmaster can prove that the domain is theirs, so that takes the
 * right to edit domains. The host sends its own mail from the postmaster of the provider.
 */
export function ownersNameProblem(
  { actor }: Pick<Ctx, 'actor'>,
  { companyId, address }: Pick<Placed, 'companyId' | 'address'>,
): string | null {
  const name = address.slice(0, address.lastIndexOf('@'));
  if (!actor || !isOwnersName(name)) return null;
  if (!holdsPermission(actor.permissions, 'domain', 'edit')) {
    return `The name ${name} can only be given by people who may edit domains`;
  }
  const isOfHost = actor.isProvider && companyId === actor.companyId && name === 'postmaster';
  return isOfHost && actor.roleNumber !== builtInRole.superAdmin
    ? 'Only a Super Admin can give this name, since the host sends its own mail from it'
    : null;
}

/**
 * Makes an address an alias of a person or the address of a group. The table has a unique key over
 * people, aliases and groups, so of two callers who claim an address at the same time, only one
 * gets it (D35).
 * @throws 409 `address_taken`
 */
export async function claimAddress(tx: TxCtx, placed: Placed, owner: Owner): Promise<Address> {
  try {
    return await Address.create({ ...placed, ...owner }, { transaction: tx.tx });
  } catch (error) {
    if (error instanceof UniqueConstraintError) throw addressTaken('address');
    throw error;
  }
}

export const addressTakenText = 'This address is taken, perhaps by a deleted user';

/** The error for an address that a person, an alias or a group already has. */
export function addressTaken(field: 'address' | 'email'): AppError {
  return conflict(addressTakenText, 'address_taken', { [field]: addressTakenText });
}
