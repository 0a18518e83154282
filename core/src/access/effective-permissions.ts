import { type ModelName, modelNames, type PermissionAction, builtInRole } from '../contracts/permissions.ts';
import type { PermissionEntry } from '../contracts/auth.ts';
import { forbidden, unauthorized } from '../errors.ts';
import { RolePermission } from '../models/role-permission.ts';
import type { User } from '../models/user.ts';
import { UserPermission } from '../models/user-permission.ts';
import type { Ctx } from '../context/context.ts';

const all = { view: true, create: true, edit: true, delete: true };
const none = { view: false, create: false, edit: false, delete: false };
const ownMail: ModelName[] = ['inbox', 'starred', 'sent', 'archive', 'draft', 'trash'];

/**
 * The flags of a built-in role (D3). `home.create` and `home.edit` belong to the provider alone, so they depend on the company.
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

/** What a person may do: their own entry for a model if there is one, else the role's (D4). */
export async function effectivePermissions(ctx: Ctx, user: Pick<User, 'id' | 'roleId'>): Promise<PermissionEntry[]> {
  const options = { transaction: ctx.tx, raw: true } as const;
  const [ofRole, ofUser] = await Promise.all([
    RolePermission.findAll({ where: { roleId: user.roleId }, ...options }),
    UserPermission.findAll({ where: { userId: user.id }, ...options }),
  ]);
  const byModel = new Map<string, PermissionEntry>();
  for (const row of [...ofRole, ...ofUser]) {
    byModel.set(row.model, {
      model: row.model,
      view: Boolean(row.canView),
      create: Boolean(row.canCreate),
      edit: Boolean(row.canEdit),
      delete: Boolean(row.canDelete),
    });
  }
  return [...byModel.values()];
}

/** Whether a list of effective permissions holds a flag. */
export function holdsPermission(permissions: PermissionEntry[], model: string, action: PermissionAction): boolean {
  return permissions.some((entry) => entry.model === model && entry[action]);
}

/**
 * Lets the actor through or not.
 * @throws 401 without an actor, 403 without the flag
 */
export function requirePermission(ctx: Ctx, model: ModelName, action: PermissionAction): void {
  if (!ctx.actor) throw unauthorized();
  if (!holdsPermission(ctx.actor.permissions, model, action)) throw forbidden();
}
