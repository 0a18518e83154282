import { permissionsOfRoles } from '@selvage/core/access/effective-permissions';
import { refuseOutranked } from '@selvage/core/access/grant';
import { saveForm } from '@selvage/core/access/save-form';
import { findInScope } from '@selvage/core/access/scope';
import { inTransaction } from '@selvage/core/context/context';
import type { InferBody } from '@selvage/core/contracts/endpoint';
import type { requireTwoFactor, RoleDto } from '@selvage/core/contracts/roles';
import { Role } from '@selvage/core/models/role';
import { refuseDeleted } from '../http/record-state.ts';
import type { SignedIn } from '../http/request-context.ts';
import { readRole } from './find-roles.ts';

/**
 * Says whether the people of a role need a second factor, and how many days they may go on without
 * one. The days begin when the rule is first set; another number of days moves their end.
 * @throws 403 `outranked`, 404, 409 also when it was changed meanwhile
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
    const since = required ? (role.twoFactorSince ?? new Date()) : null;
    const graceDays = required ? days : 0;
    await saveForm(inTx, role, {
      changes: { twoFactorSince: since, twoFactorGraceDays: graceDays },
      fields: { twoFactorSince: 'required', twoFactorGraceDays: 'grace_days' },
      compared: ['twoFactorSince', 'twoFactorGraceDays'],
      startedFrom: version,
      entity: 'role',
      action: 'role:updated',
      present: () => readRole(inTx, id),
    });
    return await readRole(inTx, id);
  });
}
