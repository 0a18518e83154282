import { recordAuditOf } from '@selvage/core/access/audit';
import type { TxCtx } from '@selvage/core/context/context';
import type { UserDetailDto } from '@selvage/core/contracts/users';
import { requireSeat } from '@selvage/core/directory/plan-limits';
import { endAccess } from '@selvage/core/directory/end-access';
import { conflict } from '@selvage/core/errors';
import { enqueue } from '@selvage/core/jobs/enqueue';
import { eraseUser as eraseUserJob } from '@selvage/core/jobs/erase-user';
import { holdSentMail } from '@selvage/core/jobs/hold-sent-mail';
import { Company } from '@selvage/core/models/company';
import type { Role } from '@selvage/core/models/role';
import type { User } from '@selvage/core/models/user';
import { endCatchAlls } from '../addresses/end-catch-alls.ts';
import { refuseDeleted, refuseUndeleted } from '../http/record-state.ts';
import type { SignedIn } from '../http/request-context.ts';
import { changeAnother, refuseLastSuperAdmin } from './guard-user.ts';
import { presentUser } from './present-users.ts';

/** A person after a change, and the keys of the sessions that it ended. */
export interface Changed {
  person: UserDetailDto;
  ended: string[];
}

/**
 * Deletes a person until they are restored (D7): they are logged out at once, mail for them is
 * refused, and their mail that waits is held (D59).
 * @throws 403 `outranked`, 404, 409 `own_account`, `last_super_admin`, `is_catch_all` or
 *   `deleted`
 */
export async function removeUser(ctx: SignedIn, id: string): Promise<Changed> {
  return await changeAnother(ctx, id, async (tx, found) => {
    refuseDeleted(found.user);
    await refuseLastSuperAdmin(tx, found);
    await endCatchAlls(tx, { userId: id }, 'This user');
    await found.user.update({ deletedAt: new Date() }, { transaction: tx.tx });
    const ended = await endAccess(tx, { userIds: [id] });
    await enqueue(tx, holdSentMail, { userId: id });
    await audit(tx, found.user, 'user:deleted', { before: stateOf(found.user), endedSessions: ended.length });
    return { person: await presentUser(tx, found.user), ended };
  });
}

/**
 * Restores a deleted person with all that they had.
 * @throws 403 `outranked`, 404, 409 `company_deleted`, `role_deleted`, `not_deleted` or
 * `users_limit_reached`
 */
export async function restoreUser(ctx: SignedIn, id: string): Promise<UserDetailDto> {
  return await changeAnother(ctx, id, async (tx, { user, role }) => {
    refuseUndeleted(user);
    await refuseDeletedCompany(tx, user);
    refuseDeletedRole(role);
    await requireSeat(tx, String(user.companyId));
    await user.update({ deletedAt: null }, { transaction: tx.tx });
    await audit(tx, user, 'user:restored', { after: stateOf(user) });
    return await presentUser(tx, user);
  });
}

async function refuseDeletedCompany(tx: TxCtx, { companyId }: User): Promise<void> {
  const company = await Company.findByPk(companyId, { transaction: tx.tx, lock: tx.tx.LOCK.UPDATE });
  if (company && !company.deletedAt) return;
  throw conflict('The company of this user is deleted. Restore the company first.', 'company_deleted');
}

/**
 * A role can be deleted when only deleted people have it. They could not log in with a deleted
 * role.
 */
function refuseDeletedRole({ deletedAt }: Role): void {
  if (!deletedAt) return;
  throw conflict('The role of this user is deleted. Restore the role first.', 'role_deleted');
}

/**
 * Deletes a deleted person for good. No call finds them from now on, and a job removes their rows
 * and their mail.
 * @throws 403 `outranked`, 404, 409 `not_deleted`
 */
export async function eraseUser(ctx: SignedIn, id: string): Promise<void> {
  await changeAnother(ctx, id, async (tx, { user }) => {
    refuseUndeleted(user);
    await user.update({ erasedAt: new Date() }, { transaction: tx.tx });
    await audit(tx, user, 'user:erased');
    await enqueue(tx, eraseUserJob, { userId: id });
  });
}

function stateOf({ activeStatus, loginAllowed }: User) {
  return { active_status: activeStatus, loginAllowed };
}

async function audit(
  tx: TxCtx,
  user: User,
  action: 'user:deleted' | 'user:restored' | 'user:erased',
  details: Record<string, unknown> = {},
): Promise<void> {
  await recordAuditOf(tx, user, { action, entity: 'user', details: { email: user.email, ...details } });
}
