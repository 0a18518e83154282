import { builtInRole, permissionActions } from '../contracts/permissions.ts';
import type { PermissionEntry } from '../contracts/auth.ts';
import type { Actor } from '../context/actor.ts';
import type { Ctx } from '../context/context.ts';
import { forbidden } from '../errors.ts';
import { holdsPermission } from './effective-permissions.ts';

/** Says whether an actor holds every flag that these entries grant. */
export function holdsAll({ permissions }: Pick<Actor, 'permissions'>, entries: readonly PermissionEntry[]): boolean {
  return entries.every((entry) =>
    permissionActions.every((action) => !entry[action] || holdsPermission(permissions, entry.model, action)),
  );
}

/**
 * Refuses to grant flags that the actor does not hold (D2): by a matrix, or with a role.
 * @throws AppError 403 `not_yours_to_grant`
 */
export function refuseEscalation(ctx: Ctx, granted: readonly PermissionEntry[]): void {
  if (ctx.actor && holdsAll(ctx.actor, granted)) return;
  throw forbidden('You can only grant permissions that you have yourself.', 'not_yours_to_grant');
}

/**
 * Says whether a person, or a role, may do something that the actor may not.
 * @param held the effective permissions of the person, or the rows of the role
 * @param roleNumber number of the role, or of the role that the person has
 */
export function mayDoMore(
  actor: Pick<Actor, 'permissions' | 'roleNumber'>,
  held: readonly PermissionEntry[],
  roleNumber: number,
): boolean {
  const isSuperAdmin = actor.roleNumber === builtInRole.superAdmin;
  return !holdsAll(actor, held) || (roleNumber === builtInRole.superAdmin && !isSuperAdmin);
}

/**
 * Refuses to change a person, or a role, that may do something that the actor may not: otherwise an
 * administrator could set the password of a Super Admin.
 * @throws AppError 403 `outranked`
 */
export function refuseOutranked(
  ctx: Ctx,
  held: readonly PermissionEntry[],
  roleNumber: number,
  what: 'person' | 'role' = 'person',
): void {
  if (ctx.actor && !mayDoMore(ctx.actor, held, roleNumber)) return;
  throw forbidden(outranked[what], 'outranked');
}

const outranked = {
  person: 'This person may do more than you, so you cannot change them.',
  role: 'This role may do more than you, so you cannot change it.',
};
