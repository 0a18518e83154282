import { permissionsOfRoles } from '@selvage/core/access/effective-permissions';
import { isOutranked } from '@selvage/core/access/grant';
import type { PermissionEntry } from '@selvage/core/contracts/auth';
import { isBuiltInRole } from '@selvage/core/contracts/permissions';
import type { RoleDto } from '@selvage/core/contracts/roles';
import type { Role } from '@selvage/core/models/role';
import { User } from '@selvage/core/models/user';
import { abilitiesOf, noAbilities } from '../http/record-state.ts';
import type { SignedIn } from '../http/request-context.ts';

/** Roles as the console shows them. This takes two queries for any number of roles. */
export async function presentRoles(ctx: SignedIn, roles: Role[]): Promise<RoleDto[]> {
  const roleId = roles.map(({ id }) => String(id));
  const [permissions, counts] = await Promise.all([
    permissionsOfRoles(ctx, roleId),
    User.count({ where: { roleId, deletedAt: null }, group: ['roleId'], transaction: ctx.tx }),
  ]);
  const people = new Map(counts.map((row) => [String(row['roleId']), row.count]));
  return roles.map((role) => {
    const id = String(role.id);
    return presentRole(ctx, role, { permissions: permissions.get(id) ?? [], people: people.get(id) ?? 0 });
  });
}

function presentRole(
  ctx: SignedIn,
  role: Role,
  { permissions, people }: { permissions: PermissionEntry[]; people: number },
): RoleDto {
  return {
    _id: String(role.id),
    role_name: role.roleName,
    role_id: role.roleId,
    company_id: { _id: String(role.companyId), name: role.company?.name ?? '' },
    permissions,
    people,
    two_factor: role.twoFactorSince && {
      since: role.twoFactorSince.toISOString(),
      grace_days: role.twoFactorGraceDays,
    },
    active_status: role.activeStatus,
    deletedAt: role.deletedAt?.toISOString() ?? null,
    createdAt: role.createdAt.toISOString(),
    updatedAt: role.updatedAt.toISOString(),
    version: role.version,
    abilities: roleAbilities(ctx, role, permissions),
  };
}

/**
 * What the caller may do with a role. Built-in roles, and roles with more rights than the caller's,
 * can't be changed.
 */
function roleAbilities(ctx: SignedIn, role: Role, permissions: PermissionEntry[]): RoleDto['abilities'] {
  const usual = isOutranked(ctx.actor, permissions, role.roleId) ? noAbilities : abilitiesOf(ctx, 'role', role);
  return { ...(isBuiltInRole(role.roleId) ? noAbilities : usual), require_two_factor: usual.edit };
}
