import type { PermissionEntry } from '../contracts/auth.ts';
import { builtInRole, type ModelName, modelNames, type PermissionAction } from '../contracts/permissions.ts';
import type { Company } from '../models/company.ts';
import { Role } from '../models/role.ts';
import { RolePermission } from '../models/role-permission.ts';
import type { Ctx } from '../context/context.ts';
import { columnsOf } from './effective-permissions.ts';

const all = { view: true, create: true, edit: true, delete: true };
const none = { view: false, create: false, edit: false, delete: false };
const ownMail: ModelName[] = ['inbox', 'starred', 'sent', 'archive', 'draft', 'trash'];
const names = { [builtInRole.superAdmin]: 'Super Admin', [builtInRole.admin]: 'Admin', [builtInRole.user]: 'User' };

/**
 * Gives a new company its built-in roles; each company has its own (D3).
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
        ...columnsOf(entry),
      })),
      { transaction: ctx.tx },
    );
  }
  return roles;
}

/**
 * The flags of a built-in role (D3). They depend on the company, since `home.create` and
 * `home.edit` are the provider's alone.
 * @param roleNumber one of `builtInRole`
 */
export function builtInPermissions(roleNumber: number, isProvider: boolean): PermissionEntry[] {
  return modelNames.map((model) => ({ model, ...builtInFlags(roleNumber, model, isProvider) }));
}

function builtInFlags(roleNumber: number, model: ModelName, isProvider: boolean): Record<PermissionAction, boolean> {
  if (roleNumber === builtInRole.superAdmin) return all;
  if (model === 'home') return { ...none, view: true, create: isProvider, edit: isProvider };
  if (ownMail.includes(model) || model === 'profile' || model === 'accountsettings') return all;
  if (roleNumber === builtInRole.user) return none;
  if (model === 'clients' || model === 'client' || model === 'module') return none;
  if (model === 'company') return { ...none, view: true, edit: true };
  return all;
}
