import { permissionsOfRoles } from '@selvage/core/access/effective-permissions';
import { refuseOutranked, refuseOutrankedHolders } from '@selvage/core/access/grant';
import { saveForm } from '@selvage/core/access/save-form';
import { findInScope } from '@selvage/core/access/scope';
import { inTransaction } from '@selvage/core/context/context';
import type { InferBody } from '@selvage/core/contracts/endpoint';
import type { requireTwoFactor, RoleDto } from '@selvage/core/contracts/roles';
import { conflict } from '@selvage/core/errors';
import { Role } from '@selvage/core/models/role';
import { User } from '@selvage/core/models/user';
import { requireConfirmed } from '../auth/confirmed-session.ts';
import { refuseDeleted } from '../http/record-state.ts';
import type { SignedIn } from '../http/request-context.ts';
import { readRole } from './find-roles.ts';
import { isOwnRole } from './policy.ts';

/**
 * Sets whether the people of a role need a second factor, and for how many days they may still log
 * in without one. The days are counted from when the rule was first set. Another number of days
 * moves their end.
 * @throws 403 `outranked` or `confirm_first`, 404, 409 also when it was changed meanwhile
 */
export async function setTwoFactorRule(
  ctx: SignedIn,
  id: string,
  { required, grace_days: days, version }: InferBody<typeof requireTwoFactor>,
): Promise<RoleDto> {
  return await inTransaction(ctx, async ({ tx }) => {
    const inTx = { ...ctx, tx };
    const role = await findInScope(inTx, Role, id);
    refuseDeleted(role);
    refuseOutranked(inTx, (await permissionsOfRoles(inTx, [id])).get(id) ?? [], role.roleId, 'role');
    await refuseEasing(inTx, role, { required, days });
    const wasRequired = role.twoFactorSince !== null;
    const since = required ? (role.twoFactorSince ?? new Date()) : null;
    const graceDays = required ? days : 0;
    await saveForm(inTx, role, {
      changes: { twoFactorSince: since, twoFactorGraceDays: graceDays },
      fields: { twoFactorSince: 'required', twoFactorGraceDays: 'grace_days' },
      compared: ['twoFactorGraceDays'],
      ...(wasRequired === required ? {} : { details: { before: { required: wasRequired }, after: { required } } }),
      startedFrom: version,
      entity: 'role',
      action: 'role:updated',
      present: () => readRole(inTx, id),
    });
    return await readRole(inTx, id);
  });
}

/**
 * Refuses to loosen the rule without a confirmed session, and on the caller's own role while the
 * caller has no second factor. The rule protects against stolen passwords. An attacker with an
 * administrator's password must not be able to turn off the rule that requires the second factor,
 * which the attacker does not have. People with the role may have more rights than the caller by
 * rows of their own, and the rule protects them too.
 * @throws 403 `outranked` or `confirm_first`, 409 `own_rule`
 */
async function refuseEasing(
  ctx: SignedIn,
  role: Role,
  { required, days }: { required: boolean; days: number },
): Promise<void> {
  const isEased = role.twoFactorSince !== null && (!required || days > role.twoFactorGraceDays);
  if (!isEased) return;
  await refuseOutrankedHolders(ctx, String(role.id));
  await requireConfirmed(ctx);
  if (!isOwnRole(ctx, role)) return;
  const caller = await User.findByPk(ctx.actor.userId, { attributes: ['twoFactorStatus'], transaction: ctx.tx });
  if (caller?.twoFactorStatus) return;
  throw conflict('Your own role requires two-factor authentication. Set it up before you ease the rule.', 'own_rule');
}
