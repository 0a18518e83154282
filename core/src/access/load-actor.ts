import type { Company } from '../models/company.ts';
import type { Role } from '../models/role.ts';
import { User } from '../models/user.ts';
import type { Actor, Scope } from '../context/actor.ts';
import type { Ctx } from '../context/context.ts';
import { effectivePermissions } from './effective-permissions.ts';
import { isTwoFactorOverdue } from './two-factor-rule.ts';
import { findUsableAccount } from './usable-account.ts';

/**
 * Which records an actor may see: people of the provider see those of every tenant, all others only
 * those of their own company (D1).
 */
export function scopeOf(actor: Pick<Actor, 'companyId' | 'isProvider'>): Scope {
  return actor.isProvider ? { kind: 'host' } : { kind: 'company', companyId: actor.companyId };
}

/** The actor of a person with their records; null when the person may not use the account. */
export async function loadActor(
  ctx: Ctx,
  userId: string,
  sessionId: string | null,
): Promise<{ actor: Actor; user: User; company: Company; role: Role } | null> {
  const user = await User.findByPk(userId, { transaction: ctx.tx });
  if (!user) return null;
  const [account, permissions] = await Promise.all([findUsableAccount(ctx, user), effectivePermissions(ctx, user)]);
  if (!account) return null;
  const { company, role } = account;
  return { actor: actorOf({ user, company, role }, permissions, sessionId), user, company, role };
}

/** The fields of the records that make an actor. */
interface ActorRecords {
  user: Pick<
    User,
    'id' | 'companyId' | 'email' | 'tokenVersion' | 'passwordChangeRequired' | 'twoFactorStatus' | 'createdAt'
  >;
  company: Pick<Company, 'isProvider'>;
  role: Pick<Role, 'roleId' | 'roleName' | 'twoFactorSince' | 'twoFactorGraceDays'>;
}

/** The actor of a person with these records and permissions. */
export function actorOf(
  { user, company, role }: ActorRecords,
  permissions: Actor['permissions'],
  sessionId: string | null,
): Actor {
  return {
    userId: String(user.id),
    companyId: String(user.companyId),
    roleNumber: role.roleId,
    roleName: role.roleName,
    isProvider: company.isProvider,
    permissions,
    sessionId,
    email: user.email,
    tokenVersion: user.tokenVersion,
    passwordChangeRequired: user.passwordChangeRequired,
    twoFactorOverdue: isTwoFactorOverdue(user, role),
  };
}
