import type { ModelName, PermissionAction } from '../contracts/permissions.ts';
import type { PermissionEntry } from '../contracts/auth.ts';
import { type AppError, forbidden, unauthorized } from '../errors.ts';
import { RolePermission } from '../models/role-permission.ts';
import type { User } from '../models/user.ts';
import { UserPermission } from '../models/user-permission.ts';
import { readRows } from '../database/run-sql.ts';
import type { Ctx } from '../context/context.ts';

/**
 * What a person may do: the person's own entry for a model if there is one, else the role's (D4).
 */
export async function effectivePermissions(ctx: Ctx, user: Pick<User, 'id' | 'roleId'>): Promise<PermissionEntry[]> {
  const options = { transaction: ctx.tx, raw: true } as const;
  const [ofRole, ofUser] = await Promise.all([
    RolePermission.findAll({ where: { roleId: user.roleId }, ...options }),
    UserPermission.findAll({ where: { userId: user.id }, ...options }),
  ]);
  const byModel = new Map<string, PermissionEntry>();
  for (const row of [...ofRole, ...ofUser]) byModel.set(row.model, entryOf(row));
  return [...byModel.values()];
}

/** A row of the matrix of a role or of a person, as the calls carry it. */
export function entryOf(
  row: Pick<RolePermission, 'model' | 'canView' | 'canCreate' | 'canEdit' | 'canDelete'>,
): PermissionEntry {
  return {
    model: row.model,
    view: Boolean(row.canView),
    create: Boolean(row.canCreate),
    edit: Boolean(row.canEdit),
    delete: Boolean(row.canDelete),
  };
}

/** The columns of an entry's flags. */
export function columnsOf(
  entry: PermissionEntry,
): Pick<RolePermission, 'model' | 'canView' | 'canCreate' | 'canEdit' | 'canDelete'> {
  const { model, view, create, edit, delete: remove } = entry;
  return { model, canView: view, canCreate: create, canEdit: edit, canDelete: remove };
}

/** Says whether a list of effective permissions holds a flag. */
export function holdsPermission(permissions: PermissionEntry[], model: string, action: PermissionAction): boolean {
  return permissions.some((entry) => entry.model === model && entry[action]);
}

/**
 * Says whether a person holds one flag now, by one statement. For doors that know the person but
 * have no actor.
 */
export async function mayNow(
  ctx: Ctx,
  { id, roleId }: Pick<User, 'id' | 'roleId'>,
  model: ModelName,
  action: PermissionAction,
): Promise<boolean> {
  const column = `can_${action}`;
  const [row] = await readRows<{ held: number }>(
    ctx,
    `SELECT COALESCE((SELECT ${column} FROM user_permissions WHERE user_id = ? AND model = ?),
                     (SELECT ${column} FROM role_permissions WHERE role_id = ? AND model = ?), 0) AS held`,
    [String(id), model, String(roleId), model],
  );
  return Boolean(row?.held);
}

/**
 * Refuses an actor without a permission.
 * @throws 401 without an actor, 403 without the flag
 */
export function requirePermission(ctx: Ctx, model: ModelName, action: PermissionAction): void {
  if (!ctx.actor) throw unauthorized();
  if (!holdsPermission(ctx.actor.permissions, model, action)) throw missingPermission();
}

/**
 * Refuses people of tenants what is the provider's alone, whatever flags they hold: to make
 * companies, clients and modules.
 * @throws 403
 */
export function requireHost(ctx: Ctx): void {
  if (ctx.scope.kind !== 'host') throw missingPermission();
}

/**
 * The one refusal with the code `forbidden`, at which a client asks again what the person may do.
 */
export function missingPermission(publicText = 'You are not allowed to do this.'): AppError {
  return forbidden(publicText);
}
