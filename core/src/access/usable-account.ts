import { Company } from '../models/company.ts';
import { Role } from '../models/role.ts';
import type { User } from '../models/user.ts';
import type { Ctx } from '../context/context.ts';

/** The records that decide, together with the person's own, what the person may do. */
export interface UsableAccount {
  company: Company;
  role: Role;
}

/**
 * Company and role of a person who may use the account. Null when the person, the role or the
 * company is deleted or inactive, or the person is barred from logging in. Every door asks here:
 * logging in, each call, signed links and mail programs.
 */
export async function findUsableAccount(ctx: Ctx, user: User): Promise<UsableAccount | null> {
  if (!isInUse(user) || !user.loginAllowed) return null;
  const options = { transaction: ctx.tx };
  const [company, role] = await Promise.all([
    Company.findByPk(user.companyId, options),
    Role.findByPk(user.roleId, options),
  ]);
  return company && role && isInUse(company) && isInUse(role) ? { company, role } : null;
}

function isInUse(record: { activeStatus: boolean; deletedAt: Date | null }): boolean {
  return record.activeStatus && !record.deletedAt;
}
