import { Op } from 'sequelize';
import type { Ctx } from '../context/context.ts';
import { User } from '../models/user.ts';
import { findAdministratorRows } from './find-addresses.ts';
import { findRecoveryAddresses } from './recovery-address.ts';

/**
 * Where the administrators of a company read mail: their mailboxes here, and their confirmed
 * recovery addresses.
 */
export async function findAdministrators(ctx: Ctx, companyId: string): Promise<string[]> {
  const ids = (await findAdministratorRows(ctx, companyId, 'superAdminsFirst')).map(({ userId }) => userId);
  const people = await User.findAll({ where: { id: { [Op.in]: ids } }, order: [['id', 'ASC']], transaction: ctx.tx });
  const recovery = await findRecoveryAddresses(ctx, people);
  return [...new Set(people.flatMap(({ id, email }) => [email, recovery.get(String(id)) ?? []].flat()))];
}
