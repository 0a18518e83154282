import { Op } from 'sequelize';
import type { Ctx } from '../context/context.ts';
import { User } from '../models/user.ts';
import { findAdministratorRows } from './find-addresses.ts';
import { findRecoveryAddress } from './recovery-address.ts';

/**
 * Where the administrators of a company read mail: their mailboxes here, and their confirmed
 * recovery addresses.
 */
export async function findAdministrators(ctx: Ctx, companyId: string): Promise<string[]> {
  const ids = (await findAdministratorRows(ctx, companyId)).map(({ userId }) => userId);
  const people = await User.findAll({ where: { id: { [Op.in]: ids } }, order: [['id', 'ASC']], transaction: ctx.tx });
  const addresses: string[] = [];
  for (const person of people) {
    const recovery = await findRecoveryAddress(ctx, person);
    addresses.push(person.email, ...(recovery === null ? [] : [recovery]));
  }
  return [...new Set(addresses)];
}
