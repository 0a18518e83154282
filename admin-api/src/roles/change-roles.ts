import { recordAuditOf } from '@selvage/core/access/audit';
import { permissionsOfRoles } from '@selvage/core/access/effective-permissions';
import { refuseOutranked, refuseOutrankedHolders } from '@selvage/core/access/grant';
import { saveForm } from '@selvage/core/access/save-form';
import { findInScope } from '@selvage/core/access/scope';
import { inTransaction, type TxCtx } from '@selvage/core/context/context';
import type { InferBody } from '@selvage/core/contracts/endpoint';
import { isBuiltInRole } from '@selvage/core/contracts/permissions';
import type { createRole, RoleDto, updateRole } from '@selvage/core/contracts/roles';
import { endAccess } from '@selvage/core/directory/end-access';
import { conflict, invalid } from '@selvage/core/errors';
import { causeOf, enqueueAll } from '@selvage/core/jobs/enqueue';
import { holdSentMail } from '@selvage/core/jobs/hold-sent-mail';
import { Company } from '@selvage/core/models/company';
import { Role } from '@selvage/core/models/role';
import { User } from '@selvage/core/models/user';
import { refuseAnotherCompany, refuseDeleted, refuseUndeleted } from '../http/record-state.ts';
import type { SignedIn } from '../http/request-context.ts';
import { lockCaller } from '../users/guard-user.ts';
import { readRole } from './find-roles.ts';
import { isOwnRole } from './policy.ts';
import { freeNumber, refuseTakenName, refuseTakenNumber, refuseTooMany } from './unique-roles.ts';

type InTx = SignedIn & TxCtx;

/**
 * Adds a role without any permission. The company's row is locked, so that two roles made at once
 * get different numbers and names.
 * @throws 404 for another company, 409 when its number or its name is taken, or there are too many
 */
export async function addRole(ctx: SignedIn, given: InferBody<typeof createRole>): Promise<RoleDto> {
  return await inTransaction(ctx, async ({ tx }) => {
    const inTx = { ...ctx, tx };
    const company = await findInScope(inTx, Company, given.company_id);
    refuseDeleted(company);
    const companyId = String(company.id);
    await refuseTooMany(inTx, companyId);
    await refuseTakenName(inTx, companyId, given.role_name);
    if (given.role_id !== undefined) await refuseTakenNumber(inTx, companyId, given.role_id);
    const roleId = given.role_id ?? (await freeNumber(inTx, companyId));
    const role = await Role.create(
      { companyId, roleId, roleName: given.role_name, activeStatus: given.active_status ?? true },
      { transaction: tx },
    );
    await audit(inTx, role, 'role:created', { role_id: roleId });
    return await readRole(inTx, String(role.id));
  });
}

/**
 * Renames a role, or switches it on or off. People cannot use an account whose role is off, so
 * their sessions end.
 * @returns the role, and the keys of the sessions that ended
 * @throws 401 `token_outdated`, 403 also when a person with the role may do more than the caller,
 *   404, 409 also when it was changed meanwhile, 422
 */
export async function changeRole(
  ctx: SignedIn,
  id: string,
  given: InferBody<typeof updateRole>,
): Promise<{ role: RoleDto; ended: string[] }> {
  return await inTransaction(ctx, async ({ tx }) => {
    // Of two people who bar each other at the same moment, one has to stay in
    const inTx = given.active_status === false ? await lockCaller({ ...ctx, tx }) : { ...ctx, tx };
    const role = await findChangeable(inTx, id);
    refuseDeleted(role);
    refuseAnotherNumber(role, given.role_id);
    refuseAnotherCompany(role, given.company_id);
    const isSwitchedOff = role.activeStatus && given.active_status === false;
    if (isSwitchedOff) {
      refuseOwn(ctx, role);
      await refuseOutrankedHolders(inTx, id);
    }
    if (given.role_name !== undefined && given.role_name !== role.roleName) {
      await Company.findByPk(role.companyId, { transaction: tx, lock: tx.LOCK.UPDATE });
      await refuseTakenName(inTx, String(role.companyId), given.role_name, id);
    }
    await saveForm(inTx, role, {
      changes: {
        ...(given.role_name === undefined ? {} : { roleName: given.role_name }),
        ...(given.active_status === undefined ? {} : { activeStatus: given.active_status }),
      },
      fields: { roleName: 'role_name', activeStatus: 'active_status' },
      compared: ['roleName', 'activeStatus'],
      startedFrom: given.version,
      entity: 'role',
      action: 'role:updated',
      present: () => readRole(inTx, id),
    });
    const ended = isSwitchedOff ? await bar(inTx, await peopleWith(inTx, id)) : [];
    return { role: await readRole(inTx, id), ended };
  });
}

/**
 * Deletes a role, which can be restored.
 * @throws 403, 404, 409 also while people have the role, since they could no longer log in
 */
export async function removeRole(ctx: SignedIn, id: string): Promise<RoleDto> {
  return await inTransaction(ctx, async ({ tx }) => {
    const inTx = { ...ctx, tx };
    const role = await findChangeable(inTx, id);
    refuseDeleted(role);
    refuseUsed(await User.count({ where: { roleId: id, deletedAt: null }, transaction: tx }));
    await role.update({ deletedAt: new Date() }, { transaction: tx });
    await audit(inTx, role, 'role:deleted');
    return await readRole(inTx, id);
  });
}

/** @throws 403, 404, 409 when it is not deleted */
export async function restoreRole(ctx: SignedIn, id: string): Promise<RoleDto> {
  return await inTransaction(ctx, async ({ tx }) => {
    const inTx = { ...ctx, tx };
    const role = await findChangeable(inTx, id);
    refuseUndeleted(role);
    await role.update({ deletedAt: null }, { transaction: tx });
    await audit(inTx, role, 'role:restored');
    return await readRole(inTx, id);
  });
}

/**
 * Deletes a deleted role for good, with its permissions.
 * @throws 403, 404, 409 when it is not deleted, or when a deleted person has it whose rows are not
 *   yet removed
 */
export async function eraseRole(ctx: SignedIn, id: string): Promise<void> {
  await inTransaction(ctx, async ({ tx }) => {
    const inTx = { ...ctx, tx };
    const role = await findChangeable(inTx, id);
    refuseUndeleted(role);
    await refuseUsedByDeleted(inTx, id);
    await role.destroy({ transaction: tx });
    await audit(inTx, role, 'role:erased', { role_id: role.roleId });
  });
}

/**
 * Locks a role that the caller may change. Refuses built-in roles, and roles with more rights than
 * the caller's.
 */
async function findChangeable(ctx: InTx, id: string): Promise<Role> {
  const role = await findInScope(ctx, Role, id);
  if (isBuiltInRole(role.roleId)) {
    throw conflict('This is a built-in role. It cannot be changed or deleted.', 'built_in_role');
  }
  refuseOutranked(ctx, (await permissionsOfRoles(ctx, [id])).get(id) ?? [], role.roleId, 'role');
  return role;
}

/** Refuses another number. Forms also send the present one. */
function refuseAnotherNumber({ roleId }: Role, given: number | undefined): void {
  if (given === undefined || given === roleId) return;
  const text = 'The number of a role cannot be changed';
  throw invalid({ role_id: text }, text);
}

function refuseOwn(ctx: SignedIn, role: Role): void {
  if (!isOwnRole(ctx, role)) return;
  throw conflict('This is your own role. Switched off, it would lock you out.', 'own_role');
}

function refuseUsed(people: number): void {
  if (people === 0) return;
  const text = people === 1 ? '1 person still has this role.' : `${people} people still have this role.`;
  throw conflict(`${text} Give them another role first.`, 'role_in_use');
}

/** Only deleted people have a deleted role, and they can't be given another one. */
async function refuseUsedByDeleted({ tx }: TxCtx, roleId: string): Promise<void> {
  const people = await User.count({ where: { roleId, erasedAt: null }, transaction: tx });
  if (people > 0) {
    const text =
      people === 1 ? '1 deleted person still has this role.' : `${people} deleted people still have this role.`;
    throw conflict(`${text} Restore the role, or delete them permanently first.`, 'role_in_use');
  }
  if ((await User.count({ where: { roleId }, transaction: tx })) === 0) return;
  throw conflict('People with this role are still being deleted permanently. Try again in a moment.', 'role_in_use');
}

/**
 * Ends the access of people and holds their mail that waits (D59).
 * @returns the keys of the sessions that ended
 */
async function bar(ctx: TxCtx, userIds: string[]): Promise<string[]> {
  const causeId = causeOf(ctx);
  await enqueueAll(
    ctx,
    holdSentMail,
    userIds.map((userId) => ({ payload: { userId }, causeId })),
  );
  return await endAccess(ctx, { userIds });
}

async function peopleWith(ctx: TxCtx, roleId: string): Promise<string[]> {
  const people = await User.findAll({ where: { roleId }, attributes: ['id'], transaction: ctx.tx });
  return people.map(({ id }) => String(id));
}

async function audit(
  ctx: TxCtx,
  role: Role,
  action: `role:${'created' | 'deleted' | 'restored' | 'erased'}`,
  details: Record<string, unknown> = {},
): Promise<void> {
  await recordAuditOf(ctx, role, { action, entity: 'role', details: { role_name: role.roleName, ...details } });
}
