import { Company } from '../models/company.ts';
import { Role } from '../models/role.ts';
import type { User } from '../models/user.ts';
import type { Ctx } from '../context/context.ts';

/** The records that decide, together with the person's own, what the person may do. */
export interface UsableAccount {
  company: Company;
  role: Role;
}

interface InUse {
  activeStatus: boolean;
  deletedAt: Date | null;
}

/**
 * Says whether a person may use the account: not when the person, the role or the company is
 * deleted or inactive, or the person is barred from logging in. Every way in checks this: logins,
 * API calls, signed links and mail programs.
 */
export function isUsableAccount(account: {
  user: InUse & Pick<User, 'loginAllowed'>;
  company: InUse;
  role: InUse;
}): boolean {
  const { user, company, role } = account;
  return user.loginAllowed && isInUse(user) && isInUse(company) && isInUse(role);
}

/** Company and role of a person who may use the account; null for any other person. */
export async function findUsableAccount(ctx: Ctx, user: User): Promise<UsableAccount | null> {
  const options = { transaction: ctx.tx };
  const [company, role] = await Promise.all([
    Company.findByPk(user.companyId, options),
    Role.findByPk(user.roleId, options),
  ]);
  return company && role && isUsableAccount({ user, company, role }) ? { company, role } : null;
}

function isInUse({ activeStatus, deletedAt }: InUse): boolean {
  return activeStatus && !deletedAt;
}
