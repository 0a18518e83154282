import { holdsPermission, permissionsByPerson, permissionsOfRoles } from '@selvage/core/access/effective-permissions';
import { isOutranked } from '@selvage/core/access/grant';
import { findInScope, type OfTenant, readInScope } from '@selvage/core/access/scope';
import type { Ctx } from '@selvage/core/context/context';
import type { PermissionEntry } from '@selvage/core/contracts/auth';
import type { MatrixLock } from '@selvage/core/contracts/permission-matrix';
import { isBuiltInRole } from '@selvage/core/contracts/permissions';
import { notFound } from '@selvage/core/errors';
import { Company } from '@selvage/core/models/company';
import { Role } from '@selvage/core/models/role';
import { User } from '@selvage/core/models/user';
import type { ModelStatic } from 'sequelize';
import type { SignedIn } from '../http/request-context.ts';
import { isOwnRole } from '../roles/policy.ts';

/** A role or a person that a call names. */
export type Named = { kind: 'role' | 'user'; id: string };

/** The role or the person whose permissions a matrix shows, with the flags that they hold now. */
export interface Subject {
  kind: 'role' | 'user';
  /** Null for a role. */
  user: User | null;
  /** The role itself, or the person's role. */
  role: Role;
  company: Company;
  /** The role's rows, or the person's effective ones. */
  held: PermissionEntry[];
  /** The models for which the person has rows of their own. */
  own: Set<string>;
}

/**
 * Loads the role or person of a matrix. Inside a transaction, their row is locked.
 * @throws 404 when it is not in the caller's scope
 */
export async function loadSubject(ctx: Ctx, named: Named): Promise<Subject> {
  return named.kind === 'role' ? await roleSubject(ctx, named.id) : await userSubject(ctx, named.id);
}

async function roleSubject(ctx: Ctx, id: string): Promise<Subject> {
  const role = await find(ctx, Role, id);
  const company = await companyOf(ctx, role);
  const held = (await permissionsOfRoles(ctx, [id])).get(id) ?? [];
  return { kind: 'role', user: null, role, company, held, own: new Set() };
}

async function userSubject(ctx: Ctx, id: string): Promise<Subject> {
  const user = await find(ctx, User, id);
  const [company, role, byPerson] = await Promise.all([
    companyOf(ctx, user),
    Role.findByPk(user.roleId, { transaction: ctx.tx }),
    permissionsByPerson(ctx, [user]),
  ]);
  if (!role) throw notFound('role');
  const rows = byPerson.get(String(user.id)) ?? [];
  const own = new Set(rows.filter(({ isOwn }) => isOwn).map(({ entry }) => entry.model));
  return { kind: 'user', user, role, company, held: rows.map(({ entry }) => entry), own };
}

async function find<M extends OfTenant & { id: string }>(ctx: Ctx, model: ModelStatic<M>, id: string): Promise<M> {
  return ctx.tx ? await findInScope({ ...ctx, tx: ctx.tx }, model, id) : await readInScope(ctx, model, id);
}

async function companyOf(ctx: Ctx, { companyId }: { companyId: string }): Promise<Company> {
  const company = await Company.findByPk(companyId, { transaction: ctx.tx });
  if (!company) throw notFound('company');
  return company;
}

/** Why the caller may not change the matrix; null when they may. */
export function lockOf(ctx: SignedIn, subject: Subject): MatrixLock | null {
  const { user, role, held } = subject;
  if (!holdsPermission(ctx.actor.permissions, 'permission', 'edit')) return 'not_permitted';
  if (user ? String(user.id) === ctx.actor.userId : isOwnRole(ctx, role) && !isBuiltInRole(role.roleId)) return 'own';
  if (!user && isBuiltInRole(role.roleId)) return 'built_in';
  if ((user ?? role).deletedAt) return 'deleted';
  return isOutranked(ctx.actor, held, role.roleId) ? 'outranked' : null;
}
