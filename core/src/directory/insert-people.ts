import type { CreationAttributes } from 'sequelize';
import { insertHookedRows, insertRows } from '../database/insert-rows.ts';
import type { TxCtx } from '../context/context.ts';
import { Address } from '../models/address.ts';
import { countAdded } from '../models/growth-slot.ts';
import { User } from '../models/user.ts';

/**
 * Adds several people with the addresses of their mailboxes (D35), with one statement for each
 * table, and counts them (D53). All name the same attributes.
 * @returns their ids in their order
 * @throws UniqueConstraintError when a person, an alias or a group has one of the addresses
 */
export async function insertPeople(tx: TxCtx, people: readonly CreationAttributes<User>[]): Promise<string[]> {
  const now = new Date();
  const rows = people.map((person) => ({ ...person, createdAt: person.createdAt ?? now }));
  const ids = await insertHookedRows(tx, User, rows);
  const counted = rows.filter(({ deletedAt }) => !deletedAt);
  await countAdded(counted, 'users', tx.tx);
  const addresses = people.map(({ companyId, domainId, email }, index) => ({
    companyId,
    domainId: domainId ?? null,
    address: email,
    kind: 'mailbox' as const,
    userId: ids[index] ?? '',
  }));
  await insertRows(tx, Address, addresses);
  return ids;
}
