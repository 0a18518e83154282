import { builtInRole, gatesNothing, permissionActions } from '../contracts/permissions.ts';
import type { PermissionEntry } from '../contracts/auth.ts';
import type { Actor } from '../context/actor.ts';
import type { Ctx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import { forbidden } from '../errors.ts';
import { entryOf, holdsPermission, type MatrixColumns } from './effective-permissions.ts';

/**
 * Says whether an actor holds every flag that these entries grant. Flags that no call needs don't
 * count: built-in roles hold them, and the console has no switch by which another role could.
 */
export function holdsAll({ permissions }: Pick<Actor, 'permissions'>, entries: readonly PermissionEntry[]): boolean {
  return entries.every(({ model, ...flags }) =>
    permissionActions.every(
      (action) => !flags[action] || gatesNothing(model, action) || holdsPermission(permissions, model, action),
    ),
  );
}

/**
 * Refuses to grant flags that the actor does not hold (D2), whether by a matrix or with a role.
 * @param roleNumber the number of the role that is given; only a Super Admin makes another Super
 * Admin
 * @throws AppError 403 `not_yours_to_grant`
 */
export function refuseEscalation(ctx: Ctx, granted: readonly PermissionEntry[], roleNumber?: number): void {
  if (ctx.actor && !isOutranked(ctx.actor, granted, roleNumber)) return;
  throw forbidden('You can only grant permissions that you have yourself.', 'not_yours_to_grant');
}

const outrankedTexts = {
  person: 'This person may do more than you, so you cannot change them.',
  role: 'This role may do more than you, so you cannot change it.',
};

/**
 * Refuses to change a person, or a role, that may do something that the actor may not: otherwise an
 * administrator could set the password of a Super Admin.
 * @param held the effective permissions of the person, or the rows of the role
 * @throws AppError 403 `outranked`
 */
export function refuseOutranked(
  ctx: Ctx,
  held: readonly PermissionEntry[],
  roleNumber: number,
  what: keyof typeof outrankedTexts = 'person',
): void {
  if (ctx.actor && !isOutranked(ctx.actor, held, roleNumber)) return;
  throw forbidden(outrankedTexts[what], 'outranked');
}

/**
 * Refuses to take something from a role when a person who has it may do more than the actor by rows
 * of their own: that would change a person whom the actor may not change.
 * @throws AppError 403 `outranked`
 */
export async function refuseOutrankedHolders(ctx: Ctx, roleId: string): Promise<void> {
  const rows = await readRows<MatrixColumns>(
    ctx,
    `SELECT p.model, ${anyFlags} FROM users u JOIN user_permissions p ON p.user_id = u.id
      WHERE u.role_id = ? AND u.erased_at IS NULL GROUP BY p.model`,
    [roleId],
  );
  if (ctx.actor && holdsAll(ctx.actor, rows.map(entryOf))) return;
  throw forbidden('A person with this role may do more than you, so you cannot change it.', 'outranked');
}

/** The flags that any of several rows of a matrix has. */
const anyFlags =
  'MAX(p.can_view) AS canView, MAX(p.can_create) AS canCreate, MAX(p.can_edit) AS canEdit, MAX(p.can_delete) AS canDelete';

/**
 * Says whether a person or a role with these flags and this number ranks above an actor: it holds a
 * flag that the actor does not, or it is a Super Admin and the actor is not.
 */
export function isOutranked(
  actor: Pick<Actor, 'permissions' | 'roleNumber'>,
  held: readonly PermissionEntry[],
  roleNumber: number | undefined,
): boolean {
  if (roleNumber === builtInRole.superAdmin && actor.roleNumber !== builtInRole.superAdmin) return true;
  return !holdsAll(actor, held);
}

/**
 * Says whether any person in a company outranks an actor, by their role or by their own rows of the
 * matrix. Deleted people count too, until they are permanently deleted. A role counts with all its
 * flags, even where each of its people has had one taken away.
 */
export async function isOutrankedIn(
  ctx: Ctx,
  actor: Pick<Actor, 'permissions' | 'roleNumber'>,
  companyId: string,
): Promise<boolean> {
  const [roles, own] = await Promise.all([
    readRows<MatrixColumns & { number: number }>(
      ctx,
      `SELECT r.role_id AS number, COALESCE(p.model, '') AS model, ${anyFlags}
         FROM roles r LEFT JOIN role_permissions p ON p.role_id = r.id
        WHERE r.company_id = ? AND EXISTS (SELECT 1 FROM users u WHERE u.role_id = r.id AND u.erased_at IS NULL)
        GROUP BY r.role_id, p.model`,
      [companyId],
    ),
    readRows<MatrixColumns>(
      ctx,
      `SELECT p.model, ${anyFlags} FROM user_permissions p JOIN users u ON u.id = p.user_id AND u.erased_at IS NULL
        WHERE p.company_id = ? GROUP BY p.model`,
      [companyId],
    ),
  ]);
  return isOutranked(actor, [...roles, ...own].map(entryOf), Math.min(...roles.map(({ number }) => number)));
}
