import { builtInRole } from '../contracts/permissions.ts';
import type { Company } from '../models/company.ts';
import { Role } from '../models/role.ts';
import { RolePermission } from '../models/role-permission.ts';
import type { Ctx } from '../context/context.ts';
import { builtInPermissions } from './effective-permissions.ts';

const names = { [builtInRole.superAdmin]: 'Super Admin', [builtInRole.admin]: 'Admin', [builtInRole.user]: 'User' };

/**
 * Gives a new company its built-in roles; they exist once per company (D3).
 * @returns the roles by their number
 */
export async function createBuiltInRoles(ctx: Ctx, company: Company): Promise<Map<number, Role>> {
  const roles = new Map<number, Role>();
  for (const [number, roleName] of Object.entries(names).map(([key, name]) => [Number(key), name] as const)) {
    const role = await Role.create(
      { companyId: String(company.id), roleId: number, roleName },
      { transaction: ctx.tx },
    );
    roles.set(number, role);
    await RolePermission.bulkCreate(
      builtInPermissions(number, company.isProvider).map((entry) => ({
        companyId: String(company.id),
        roleId: String(role.id),
        model: entry.model,
        canView: entry.view,
        canCreate: entry.create,
        canEdit: entry.edit,
        canDelete: entry.delete,
      })),
      { transaction: ctx.tx },
    );
  }
  return roles;
}
