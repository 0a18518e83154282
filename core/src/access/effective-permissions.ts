import { builtInRole, type ModelName, type PermissionAction } from '../contracts/permissions.ts';
import type { PermissionEntry } from '../contracts/auth.ts';
import { type AppError, forbidden, unauthorized } from '../errors.ts';
import { RolePermission } from '../models/role-permission.ts';
import type { User } from '../models/user.ts';
import { groupWorkOf, lookUpLimits } from '../database/group-work.ts';
import { readRows } from '../database/run-sql.ts';
import type { DatabaseTarget } from '../database/run-statement.ts';
import type { App } from '../context/app.ts';
import type { Ctx } from '../context/context.ts';

/** A row of the permission matrix as it applies to a person. */
export interface HeldPermission {
  entry: PermissionEntry;
  /** True for the person's own entry, false for the role's. */
  isOwn: boolean;
}

type Holder = Pick<User, 'id' | 'roleId'>;

/**
 * What a person may do: the person's own entry for a model if there is one, else the role's (D4).
 */
export async function effectivePermissions(ctx: Ctx, user: Holder): Promise<PermissionEntry[]> {
  const held = await permissionsByPerson(ctx, [user]);
  return (held.get(String(user.id)) ?? []).map(({ entry }) => entry);
}

interface PermissionRow extends MatrixColumns {
  holder: string;
  isOwn: number;
}

/** What each of several people may do, by their ids, in one statement. */
export async function permissionsByPerson(ctx: Ctx, people: readonly Holder[]): Promise<Map<string, HeldPermission[]>> {
  if (people.length === 0) return new Map();
  const matrix = 'model, can_view AS canView, can_create AS canCreate, can_edit AS canEdit, can_delete AS canDelete';
  const rows = await readRows<PermissionRow>(
    ctx,
    `SELECT 0 AS isOwn, role_id AS holder, ${matrix} FROM role_permissions WHERE role_id IN (?)
     UNION ALL SELECT 1, user_id, ${matrix} FROM user_permissions WHERE user_id IN (?)`,
    [[...new Set(people.map(({ roleId }) => String(roleId)))], people.map(({ id }) => String(id))],
  );
  const ofHolder = (isOwn: 0 | 1) =>
    Map.groupBy(
      rows.filter((row) => Number(row.isOwn) === isOwn),
      ({ holder }) => String(holder),
    );
  const [byRole, byUser] = [ofHolder(0), ofHolder(1)];
  return new Map(
    people.map(({ id, roleId }) => {
      const own = (byUser.get(String(id)) ?? []).map((row) => ({ entry: entryOf(row), isOwn: true }));
      const role = (byRole.get(String(roleId)) ?? []).map((row) => ({ entry: entryOf(row), isOwn: false }));
      return [String(id), [...new Map([...role, ...own].map((held) => [held.entry.model, held])).values()]];
    }),
  );
}

/** The flags of roles, by the roles' record ids. */
export async function permissionsOfRoles(
  ctx: Ctx,
  roleIds: readonly string[],
): Promise<Map<string, PermissionEntry[]>> {
  const rows = await RolePermission.findAll({ where: { roleId: [...roleIds] }, transaction: ctx.tx, raw: true });
  const grouped = Map.groupBy(rows, ({ roleId }) => String(roleId));
  return new Map([...grouped].map(([roleId, ofRole]) => [roleId, ofRole.map(entryOf)]));
}

/** The columns of a matrix, in the table of a role or of a person. */
export type MatrixColumns = Pick<RolePermission, 'model' | 'canView' | 'canCreate' | 'canEdit' | 'canDelete'>;

/** Makes an entry of such columns. Raw queries give numbers for the flags. */
export function entryOf(row: MatrixColumns): PermissionEntry {
  return {
    model: row.model,
    view: Boolean(row.canView),
    create: Boolean(row.canCreate),
    edit: Boolean(row.canEdit),
    delete: Boolean(row.canDelete),
  };
}

/** The columns of an entry, in the table of a role or of a person. */
export function columnsOf({ model, view, create, edit, delete: remove }: PermissionEntry): MatrixColumns {
  return { model, canView: view, canCreate: create, canEdit: edit, canDelete: remove };
}

/** Says whether a list of effective permissions holds a flag. */
export function holdsPermission(permissions: PermissionEntry[], model: string, action: PermissionAction): boolean {
  return permissions.some((entry) => entry.model === model && entry[action]);
}

/**
 * Says whether a person may send mail now, for doors that know the person but have no actor. Calls
 * that come while a look-up is under way are looked up together.
 */
export async function maySendNow(ctx: Ctx, userId: string): Promise<boolean> {
  if (ctx.tx !== undefined) return (await findSenders(ctx, [userId])).has(userId);
  return await senderLookUps(ctx.app).add(userId);
}

const senderLookUps = groupWorkOf<App, string, boolean>(async (app, userIds) => {
  const senders = await findSenders({ app }, userIds);
  return userIds.map((id) => senders.has(id));
}, lookUpLimits);

/** Those of these people who may send mail. */
async function findSenders(target: DatabaseTarget, userIds: readonly string[]): Promise<Set<string>> {
  const rows = await readRows<{ id: string }>(
    target,
    `SELECT u.id FROM users u
       LEFT JOIN user_permissions own ON own.user_id = u.id AND own.model = 'sent'
       LEFT JOIN role_permissions of_role ON of_role.role_id = u.role_id AND of_role.model = 'sent'
      WHERE u.id IN (?) AND COALESCE(own.can_create, of_role.can_create, 0)`,
    [[...new Set(userIds)]],
  );
  return new Set(rows.map(({ id }) => String(id)));
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
 * Refuses all actors but people of the provider, whatever flags they hold. Only the provider makes
 * companies, clients and modules.
 * @throws 403
 */
export function requireHost(ctx: Ctx): void {
  if (ctx.scope.kind !== 'host') throw missingPermission();
}

/**
 * Refuses all actors but the Super Admins of the provider, whatever flags they hold. It guards the
 * settings of the host and its restart (D55).
 * @throws 401 without an actor, 403
 */
export function requireHostSuperAdmin(ctx: Ctx): void {
  if (!ctx.actor) throw unauthorized();
  const { isProvider, roleNumber } = ctx.actor;
  if (!isProvider || roleNumber !== builtInRole.superAdmin) throw missingPermission();
}

/**
 * The only refusal with the code `forbidden`. It makes a client fetch the person's permissions
 * again.
 */
export function missingPermission(publicText = 'You are not allowed to do this.'): AppError {
  return forbidden(publicText);
}
