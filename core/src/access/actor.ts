import type { Company } from '../models/company.ts';
import type { Role } from '../models/role.ts';
import { User } from '../models/user.ts';
import type { Ctx } from '../context/context.ts';
import type { PermissionEntry } from '../contracts/auth.ts';
import { effectivePermissions } from './effective-permissions.ts';
import { findUsableAccount } from './usable-account.ts';

/** Who makes a call, with what they may do. */
export interface Actor {
  userId: string;
  companyId: string;
  email: string;
  /** Number of the role within its company: 0 Super Admin, 1 Admin, 2 User, more for custom ones. A smaller one ranks higher. */
  roleNumber: number;
  roleName: string;
  /** True for people of the host itself, who see every tenant (D1). */
  isProvider: boolean;
  /** Effective permissions (D4). */
  permissions: PermissionEntry[];
  /** Null where there is none: a mail program that submits. */
  sessionId: string | null;
  tokenVersion: number;
  /** They have to choose another password before they do anything else. */
  passwordChangeRequired: boolean;
}

/** Whose records may be seen: every company's, or one's. */
export type Scope = { kind: 'host' } | { kind: 'company'; companyId: string };

/** Whose records an actor may see: provider people every tenant's, everybody else their own company's (D1). */
export function scopeOf(actor: Pick<Actor, 'companyId' | 'isProvider'>): Scope {
  return actor.isProvider ? { kind: 'host' } : { kind: 'company', companyId: actor.companyId };
}

/** A person who may act, with their records; null when they may not use their account. */
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
  const actor: Actor = {
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
  };
  return { actor, user, company, role };
}
