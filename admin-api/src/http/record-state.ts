import { holdsPermission } from '@selvage/core/access/effective-permissions';
import type { ModelName } from '@selvage/core/contracts/permissions';
import type { Abilities, RecordState } from '@selvage/core/contracts/records';
import { conflict, invalid } from '@selvage/core/errors';
import { literal, type Model, type ModelStatic, Op } from 'sequelize';
import type { SignedIn } from './request-context.ts';

/** The filters of `stateFilters` as a contract parsed them. */
interface StateQuery {
  state?: RecordState | undefined;
  deletedAt?: boolean | undefined;
  active_status?: boolean | undefined;
}

/**
 * The condition for the state filters of a list. A permanently deleted record also has `deletedAt`,
 * so only a list of deleted records must check `erasedAt`. Some tables delete the row instead and
 * have no such column.
 */
export function whereState(model: ModelStatic<Model>, { state, deletedAt, active_status }: StateQuery) {
  const canBeErased = 'erasedAt' in model.getAttributes();
  const isDeleted = state === undefined ? deletedAt === true : state === 'deleted';
  const isActive = state === undefined || isDeleted ? active_status : state === 'active';
  return {
    deletedAt: isDeleted ? { [Op.ne]: null } : null,
    ...(isDeleted && canBeErased ? { erasedAt: null } : {}),
    ...(isActive === undefined ? {} : { activeStatus: isActive }),
  };
}

/**
 * Leaves out the records of deleted companies. The subquery reads the few ids of those companies
 * once, so that no company is joined to each row.
 */
export const ofKeptCompany = {
  companyId: { [Op.notIn]: literal('(SELECT id FROM companies WHERE deleted_at IS NOT NULL)') },
};

/** Joins the company of a record, whose name lists show. */
export const withCompany = { association: 'company', attributes: ['id', 'name'] };

/** A record that can be deleted and restored. */
interface Deletable {
  deletedAt: Date | null;
}

/** Refuses to move a record to another company. Forms also send the present one. */
export function refuseAnotherCompany({ companyId }: { companyId: string }, given: string | undefined): void {
  if (given === undefined || given === String(companyId)) return;
  const text = 'The company cannot be changed';
  throw invalid({ company_id: text }, text);
}

/** What the caller may do with a record that is not protected. */
export function abilitiesOf({ actor }: SignedIn, model: ModelName, { deletedAt }: Deletable): Abilities {
  const may = (action: 'edit' | 'delete') => holdsPermission(actor.permissions, model, action);
  const isDeleted = deletedAt !== null;
  return {
    edit: !isDeleted && may('edit'),
    delete: !isDeleted && may('delete'),
    restore: isDeleted && may('edit'),
    erase: isDeleted && may('delete'),
  };
}

/** What the caller may do with a protected record: nothing. */
export const noAbilities: Abilities = { edit: false, delete: false, restore: false, erase: false };

/** @throws 409 when the record is deleted, since it must be restored first */
export function refuseDeleted({ deletedAt }: Deletable): void {
  if (deletedAt) throw conflict('This is deleted. Restore it first.', 'deleted');
}

/**
 * @throws 409 when the record is not deleted, since only deleted records can be restored or erased
 */
export function refuseUndeleted({ deletedAt }: Deletable): void {
  if (!deletedAt) throw conflict('This is not deleted.', 'not_deleted');
}
