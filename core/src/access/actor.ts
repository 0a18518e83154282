import type { PermissionEntry } from '../contracts/auth.ts';
import { Company } from '../models/company.ts';
import { Role } from '../models/role.ts';
import { User } from '../models/user.ts';
import type { Ctx } from '../runtime/context.ts';
import { effectivePermissions } from './permissions.ts';

/** Who makes a call, with what they may do. */
export interface Actor {
  userId: string;
  companyId: string;
  /** Number of the role within its company, see `builtInRole`. */
  roleNumber: number;
  roleName: string;
  /** True for people of the host itself, who see every tenant (D1). */
  isProvider: boolean;
  permissions: PermissionEntry[];
  sessionId: string;
  email: string;
  tokenVersion: number;
}

/** What tells the actor's tenant scope: provider people see the host, everybody else their company (D1). */
export type Scope = { kind: 'host' } | { kind: 'company'; companyId: string };

/** The one sentence of D1. */
export function scopeOf(actor: Pick<Actor, 'companyId' | 'isProvider'>): Scope {
  return actor.isProvider ? { kind: 'host' } : { kind: 'company', companyId: actor.companyId };
}

/** A person who may act, with their records; null when they, their role or their company are gone, inactive or barred. */
export async function loadActor(
  ctx: Ctx,
  userId: string,
  sessionId: string,
): Promise<{ actor: Actor; user: User; company: Company; role: Role } | null> {
  const options = { transaction: ctx.tx };
  const user = await User.findByPk(userId, options);
  if (!user || user.deletedAt || !user.activeStatus || !user.loginAllowed) return null;
  const [company, role, permissions] = await Promise.all([
    Company.findByPk(user.companyId, options),
    Role.findByPk(user.roleId, options),
    effectivePermissions(ctx, user),
  ]);
  if (!company || company.deletedAt || !company.activeStatus || !role) return null;
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
  };
  return { actor, user, company, role };
}
