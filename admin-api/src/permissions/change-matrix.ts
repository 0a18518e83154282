import { recordAuditOf } from '@selvage/core/access/audit';
import { columnsOf, effectivePermissions, missingPermission } from '@selvage/core/access/effective-permissions';
import { refuseEscalation, refuseOutranked, refuseOutrankedHolders } from '@selvage/core/access/grant';
import { inTransaction, type TxCtx } from '@selvage/core/context/context';
import type { PermissionEntry } from '@selvage/core/contracts/auth';
import type { FlagChange, PermissionMatrix } from '@selvage/core/contracts/permission-matrix';
import { isProviderOnly, permissionActions } from '@selvage/core/contracts/permissions';
import { outdateTokens } from '@selvage/core/directory/end-access';
import { conflict, forbidden, invalid } from '@selvage/core/errors';
import { Module } from '@selvage/core/models/module';
import { RolePermission } from '@selvage/core/models/role-permission';
import { UserPermission } from '@selvage/core/models/user-permission';
import { requireConfirmed } from '../auth/confirmed-session.ts';
import { refuseDeleted } from '../http/record-state.ts';
import type { SignedIn } from '../http/request-context.ts';
import { lockCaller } from '../users/guard-user.ts';
import { loadSubject, lockOf, type Named, type Subject } from './matrix-subject.ts';
import { noFlags, readMatrix } from './read-matrix.ts';

type InTx = SignedIn & TxCtx;

/**
 * Changes permission flags of a role or of a person. They take effect with the next request of each
 * person concerned (D4).
 * @throws 403 `confirm_first`, 403 for a flag that the caller may not grant, or for permissions
 * that the caller may not change; 404, 409, 422
 */
export async function changeFlags(ctx: SignedIn, named: Named, changes: FlagChange[]): Promise<PermissionMatrix> {
  return await inTransaction(ctx, async ({ tx }) => {
    const inTx = await lockCaller({ ...ctx, tx }, named.kind === 'user' ? named.id : undefined);
    await refuseUnknownModels(inTx, changes);
    const subject = await findChangeable(inTx, named);
    const steps = changes.flatMap((change) => stepOf(subject, change));
    refuseProviderOnly(subject, steps);
    refuseEscalation(inTx, steps.map(grantedBy));
    const takesAway = steps.some(({ before, after }) => hasAny(grantedBy({ before: after, after: before })));
    if (subject.user === null && takesAway) await refuseOutrankedHolders(inTx, String(subject.role.id));
    if (steps.length > 0) {
      await requireConfirmed(inTx);
      await writeRows(inTx, subject, steps);
      await finish(inTx, subject, 'permissions:changed', steps);
    }
    return await readMatrix(inTx, named);
  });
}

/**
 * Removes a person's own rows, so that those of the role apply again.
 * @throws 403 `confirm_first`, 403 when this would restore a flag of the role that the caller does
 * not hold; 404, 409
 */
export async function resetFlags(ctx: SignedIn, userId: string): Promise<PermissionMatrix> {
  const named: Named = { kind: 'user', id: userId };
  return await inTransaction(ctx, async ({ tx }) => {
    const inTx = await lockCaller({ ...ctx, tx }, userId);
    const subject = await findChangeable(inTx, named);
    if (subject.own.size > 0) {
      const before = subject.held.filter(({ model }) => subject.own.has(model));
      await UserPermission.destroy({ where: { userId }, transaction: tx });
      const after = await effectivePermissions(inTx, { id: userId, roleId: String(subject.role.id) });
      const steps = before.map(
        (row): Step => ({ before: row, after: after.find(({ model }) => model === row.model) ?? noFlags(row.model) }),
      );
      refuseEscalation(inTx, steps.map(grantedBy));
      await requireConfirmed(inTx);
      await finish(inTx, subject, 'permissions:reset', steps);
    }
    return await readMatrix(inTx, named);
  });
}

/** The flags of a model before and after a change. */
interface Step {
  before: PermissionEntry;
  after: PermissionEntry;
}

/** Empty when every flag already has the requested value. */
function stepOf({ held }: Subject, { model, ...flags }: FlagChange): Step[] {
  const before = held.find((entry) => entry.model === model) ?? noFlags(model);
  const after = { ...before };
  for (const action of permissionActions) after[action] = flags[action] ?? before[action];
  return permissionActions.some((action) => before[action] !== after[action]) ? [{ before, after }] : [];
}

/** The flags that become true. */
function grantedBy({ before, after }: Step): PermissionEntry {
  const granted = noFlags(after.model);
  for (const action of permissionActions) granted[action] = after[action] && !before[action];
  return granted;
}

const hasAny = (entry: PermissionEntry): boolean => permissionActions.some((action) => entry[action]);

/**
 * Locks the rows of the modules until the end of the transaction, so that no module is deleted
 * while rows for it are added.
 */
async function refuseUnknownModels(ctx: TxCtx, changes: FlagChange[]): Promise<void> {
  const names = changes.map(({ model }) => model);
  const found = await Module.findAll({
    where: { name: names },
    attributes: ['name'],
    transaction: ctx.tx,
    lock: ctx.tx.LOCK.SHARE,
  });
  const known = new Set(found.map(({ name }) => name));
  const unknown = names.filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  throw invalid({ permissions: `There is no module ${unknown.join(', ')}` }, 'There is no such module.');
}

async function findChangeable(ctx: InTx, named: Named): Promise<Subject> {
  const subject = await loadSubject(ctx, named);
  switch (lockOf(ctx, subject)) {
    case null:
      return subject;
    case 'not_permitted':
      throw missingPermission();
    case 'own':
      throw forbidden('You cannot change your own permissions.', 'own_permissions');
    case 'built_in':
      throw conflict('The permissions of a built-in role cannot be changed.', 'built_in_role');
    default:
      refuseDeleted(subject.user ?? subject.role);
      refuseOutranked(ctx, subject.held, subject.role.roleId, subject.user ? 'person' : 'role');
      return subject;
  }
}

function refuseProviderOnly({ company }: Subject, steps: Step[]): void {
  if (company.isProvider) return;
  const problem = steps
    .map(grantedBy)
    .find((entry) => permissionActions.some((action) => entry[action] && isProviderOnly(entry.model, action)));
  if (!problem) return;
  const text = `Only people of the provider can be given this permission: ${problem.model}`;
  throw forbidden(text, 'provider_only');
}

async function writeRows(ctx: TxCtx, { user, role, company }: Subject, steps: Step[]): Promise<void> {
  const companyId = String(company.id);
  const rows = steps.map(({ after }) => ({ companyId, ...columnsOf(after) }));
  const options = { transaction: ctx.tx, updateOnDuplicate: ['canView', 'canCreate', 'canEdit', 'canDelete'] as never };
  if (user) {
    await UserPermission.bulkCreate(
      rows.map((row) => ({ ...row, userId: String(user.id) })),
      options,
    );
  } else {
    await RolePermission.bulkCreate(
      rows.map((row) => ({ ...row, roleId: String(role.id) })),
      options,
    );
  }
}

async function finish(
  ctx: InTx,
  { user, role, company }: Subject,
  action: 'permissions:changed' | 'permissions:reset',
  steps: Step[],
): Promise<void> {
  const id = String((user ?? role).id);
  await outdateTokens(ctx, user ? { id } : { roleId: id });
  await recordAuditOf(
    ctx,
    { id, companyId: String(company.id) },
    {
      action,
      entity: user ? 'user' : 'role',
      details: {
        ...(user ? { email: user.email } : { role_name: role.roleName }),
        granted: namesOf(steps.map(grantedBy)),
        removed: namesOf(steps.map(({ before, after }) => grantedBy({ before: after, after: before }))),
      },
    },
  );
}

/** The flags that are set, such as `inbox.edit`. */
function namesOf(entries: readonly PermissionEntry[]): string[] {
  return entries.flatMap((entry) =>
    permissionActions.filter((action) => entry[action]).map((action) => `${entry.model}.${action}`),
  );
}
