import type { TxCtx } from '@selvage/core/context/context';
import { builtInRole } from '@selvage/core/contracts/permissions';
import { conflict } from '@selvage/core/errors';
import { Role } from '@selvage/core/models/role';
import { Op } from 'sequelize';

/*
 * Within a company each role has a unique number and name. Deleted roles count, so that a restored
 * role never has the number or name of another. The caller has locked the company's row. Names that
 * differ only in capitals or accents are equal, as the database compares them.
 */

/** @throws 409 `role_name_taken` */
export async function refuseTakenName(ctx: TxCtx, companyId: string, roleName: string, except?: string): Promise<void> {
  const found = await Role.findOne({
    where: { companyId, roleName, ...(except ? { id: { [Op.ne]: except } } : {}) },
    attributes: ['deletedAt'],
    transaction: ctx.tx,
    lock: ctx.tx.LOCK.SHARE,
  });
  if (!found) return;
  const text = found.deletedAt
    ? 'A deleted role of this company has this name. Restore it, or delete it permanently.'
    : 'A role of this company has this name already';
  throw conflict(text, 'role_name_taken', { role_name: text });
}

/** Forms offer all roles of a company at once, so there are at most this many. */
const mostRoles = 200;

/** @throws 409 `too_many_roles` */
export async function refuseTooMany(ctx: TxCtx, companyId: string): Promise<void> {
  const count = await Role.count({ where: { companyId }, transaction: ctx.tx });
  if (count < mostRoles) return;
  const text = `The company has ${mostRoles} roles, deleted ones included. Delete one permanently first.`;
  throw conflict(text, 'too_many_roles', { role_name: text });
}

/** @throws 409 `role_number_taken` */
export async function refuseTakenNumber(ctx: TxCtx, companyId: string, roleId: number): Promise<void> {
  const numbers = await takenNumbers(ctx, companyId);
  if (!numbers.has(roleId)) return;
  const text = 'A role of this company has this number already';
  throw conflict(text, 'role_number_taken', { role_id: text });
}

/** The smallest number that no role of the company has, after those of the built-in roles. */
export async function freeNumber(ctx: TxCtx, companyId: string): Promise<number> {
  const numbers = await takenNumbers(ctx, companyId);
  let free = Math.max(...Object.values(builtInRole)) + 1;
  while (numbers.has(free)) free += 1;
  return free;
}

/**
 * Read under a lock, since the snapshot of the transaction could lack a role that was just
 * committed.
 */
async function takenNumbers(ctx: TxCtx, companyId: string): Promise<Set<number>> {
  const roles = await Role.findAll({
    where: { companyId },
    attributes: ['roleId'],
    transaction: ctx.tx,
    lock: ctx.tx.LOCK.SHARE,
  });
  return new Set(roles.map(({ roleId }) => roleId));
}
