import type { TxCtx } from '@selvage/core/context/context';
import { canHaveAddresses } from '@selvage/core/directory/domain-proof';
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
  return { address, companyId, domainId: String(domain.id) };
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
