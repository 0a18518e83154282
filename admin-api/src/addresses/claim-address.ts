import type { TxCtx } from '@selvage/core/context/context';
import { canHaveAddresses } from '@selvage/core/directory/domain-proof';
import { type AppError, conflict } from '@selvage/core/errors';
import { domainOf } from '@selvage/core/mail/address-rules';
import { normaliseAddress } from '@selvage/core/mail/addresses';
import { Address } from '@selvage/core/models/address';
import { Domain } from '@selvage/core/models/domain';
import { UniqueConstraintError } from 'sequelize';
import { wrong } from '../users/guard-user.ts';

/** An address as it is stored, and the company and the domain that it is in. */
export interface Placed {
  address: string;
  companyId: string;
  domainId: string;
}

/** What an address leads to. */
type Owner = { kind: 'alias'; userId: string } | { kind: 'group'; groupId: string };

/**
 * Finds the domain of an address for an alias or a group. The domain's row is locked, so that it
 * can't be deleted meanwhile.
 * @throws 422 at `address` when it is none, or in no domain of the company
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
 * Makes an address of the host a person's alias or a group's. The table's unique key decides, so of
 * two that claim it at the same time one gets it, be they people, aliases or groups (D35).
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

/** The answer to a caller who wants an address that a person, an alias or a group has. */
export function addressTaken(field: 'address' | 'email'): AppError {
  return conflict(addressTakenText, 'address_taken', { [field]: addressTakenText });
}
