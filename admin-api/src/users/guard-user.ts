import {
  effectivePermissions,
  missingPermission,
  permissionsOfRoles,
} from '@selvage/core/access/effective-permissions';
import { refuseEscalation, refuseOutranked } from '@selvage/core/access/grant';
import { loadActor } from '@selvage/core/access/load-actor';
import { findInScope, inScope } from '@selvage/core/access/scope';
import { type Ctx, inTransaction, type TxCtx } from '@selvage/core/context/context';
import { builtInRole } from '@selvage/core/contracts/permissions';
import { readRows } from '@selvage/core/database/run-sql';
import { lockUser } from '@selvage/core/directory/lock-user';
import { type AppError, conflict, invalid } from '@selvage/core/errors';
import { Company } from '@selvage/core/models/company';
import { Role } from '@selvage/core/models/role';
import { User } from '@selvage/core/models/user';
import { type LOCK, Op } from 'sequelize';
import { tokenOutdated } from '../auth/authenticate-request.ts';
import { requireConfirmedToGrant } from '../auth/confirmed-session.ts';
import type { SignedIn } from '../http/request-context.ts';

/** A person whom the caller may change, and their role. Both rows are locked. */
export interface Changeable {
  user: User;
  role: Role;
}

type InTx = SignedIn & TxCtx;

/**
 * Changes another person's account in one transaction.
 * @throws 403 `outranked` when the person may do more than the caller, 404, 409 for the caller's
 * own account, and what `lockCaller` throws
 */
export async function changeAnother<T>(
  ctx: SignedIn,
  id: string,
  change: (inTx: InTx, found: Changeable) => Promise<T>,
): Promise<T> {
  return await inTransaction(ctx, async ({ tx }) => {
    if (id === ctx.actor.userId) throw ownAccount();
    const inTx = await lockCaller({ ...ctx, tx }, id);
    return await change(inTx, await findGoverned(inTx, id));
  });
}

/**
 * The caller with their present permissions. Their row stays locked: when two people delete each
 * other, or take each other's permissions, at the same moment, only one succeeds. The rows of two
 * people are locked in the order of their ids, which prevents a deadlock.
 * @param other another person whom the call concerns, who is locked as well
 * @throws 401 `token_outdated`, 403 when the caller may no longer use the account, 404 when there
 * is no such person
 */
export async function lockCaller(ctx: InTx, other?: string): Promise<InTx> {
  const { userId, sessionId } = ctx.actor;
  const people = other === undefined ? [userId] : [userId, other];
  for (const one of people.toSorted((a, b) => Number(a) - Number(b))) await lockUser(ctx, one);
  const caller = await loadActor(ctx, userId, sessionId);
  if (!caller) throw missingPermission();
  // The caller's password or permissions have changed since the call was authenticated
  if (caller.actor.tokenVersion !== ctx.actor.tokenVersion) throw tokenOutdated();
  return { ...ctx, actor: caller.actor };
}

/**
 * A person for a change that a caller may also make of their own account.
 * @throws 403 `outranked`, 404
 */
export async function findGoverned(tx: TxCtx, id: string): Promise<Changeable> {
  const user = await findInScope(tx, User, id);
  const role = await Role.findByPk(user.roleId, { transaction: tx.tx, lock: tx.tx.LOCK.SHARE });
  if (!role) throw new Error(`user ${user.id} has no role`);
  refuseOutranked(tx, await effectivePermissions(tx, user), role.roleId);
  return { user, role };
}

/**
 * The company to which a caller adds people.
 * @throws 422 at `field` when the caller has no such company
 */
export async function requireCompany(
  ctx: Ctx,
  companyId: string,
  { lock, field = 'companyId' }: { lock?: LOCK; field?: string } = {},
): Promise<Company> {
  const where = { [Op.and]: [inScope(ctx, Company), { id: companyId, deletedAt: null }] };
  const company = await Company.findOne({ where, transaction: ctx.tx, ...(lock ? { lock } : {}) });
  if (!company) throw wrong(field, 'Choose a company that is not deleted');
  return company;
}

/**
 * Locks the company to which a caller adds people, so that it can't be deleted meanwhile. Only a
 * company with a limit of users is also locked against others who add people.
 * @param field what the form calls the company
 * @throws 422 at `field` when the caller has no such company
 */
export async function lockCompany(tx: TxCtx, companyId: string, field = 'companyId'): Promise<void> {
  const { maxUsers } = await requireCompany(tx, companyId, { field });
  await requireCompany(tx, companyId, { field, lock: maxUsers ? tx.tx.LOCK.UPDATE : tx.tx.LOCK.SHARE });
}

/** The error for a caller who would delete, bar or demote themselves (D2). */
export function ownAccount(): AppError {
  return conflict('You cannot do this to your own account. Ask another administrator.', 'own_account');
}

/**
 * A role that the caller gives to a person of a company.
 * @throws 422 at `role_id` when the company has no such role in use, 403 `not_yours_to_grant` or
 *   `confirm_first`
 */
export async function checkRole(tx: InTx, companyId: string, roleId: string): Promise<Role> {
  const where = { id: roleId, companyId, deletedAt: null };
  const role = await Role.findOne({ where, transaction: tx.tx, lock: tx.tx.LOCK.SHARE });
  if (!role) throw wrong('role_id', 'Choose a role of the company');
  if (!role.activeStatus) throw wrong('role_id', 'This role is switched off');
  const flags = await permissionsOfRoles(tx, [roleId]);
  const granted = flags.get(roleId) ?? [];
  refuseEscalation(tx, granted, role.roleId);
  await requireConfirmedToGrant(tx, granted);
  return role;
}

/** An error at one field, with the same sentence for the whole form. */
export function wrong(field: string, text: string): AppError {
  return invalid({ [field]: text }, text);
}

/**
 * Refuses to remove the provider's last Super Admin who can log in, since afterwards no person
 * could manage the host. The rows of the others are locked: of two Super Admins who are removed at
 * the same time, one stays.
 * @throws 409 `last_super_admin`
 */
export async function refuseLastSuperAdmin(tx: TxCtx, { user, role }: Changeable): Promise<void> {
  if (role.roleId !== builtInRole.superAdmin || !isUsable(user)) return;
  const company = await Company.findByPk(user.companyId, { transaction: tx.tx });
  if (!company?.isProvider) return;
  const others = await readRows<{ id: string }>(
    tx,
    `SELECT id FROM users
      WHERE role_id = ? AND id <> ? AND deleted_at IS NULL AND active_status AND login_allowed
        FOR UPDATE`,
    [String(role.id), String(user.id)],
  );
  if (others.length > 0) return;
  throw conflict('This is the last Super Admin who can log in, so they have to stay.', 'last_super_admin');
}

function isUsable({ activeStatus, loginAllowed, deletedAt }: User): boolean {
  return activeStatus && loginAllowed && !deletedAt;
}
