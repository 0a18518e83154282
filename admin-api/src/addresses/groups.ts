import { recordAuditOf } from '@selvage/core/access/audit';
import { saveForm } from '@selvage/core/access/save-form';
import { findInScope } from '@selvage/core/access/scope';
import { inTransaction, type TxCtx } from '@selvage/core/context/context';
import type { InferBody } from '@selvage/core/contracts/endpoint';
import type { createGroup, GroupDetailDto, updateGroup } from '@selvage/core/contracts/groups';
import { conflict } from '@selvage/core/errors';
import { Company } from '@selvage/core/models/company';
import { Group } from '@selvage/core/models/group';
import { refuseDeleted } from '../http/record-state.ts';
import type { SignedIn } from '../http/request-context.ts';
import { endCatchAlls } from './end-catch-alls.ts';
import { claimAddress, placeAddress } from './claim-address.ts';
import { readGroup } from './find-groups.ts';
import { changeMembers } from './members.ts';

type InTx = SignedIn & TxCtx;

/**
 * Adds a group to a company.
 * @throws 404 for another company, 409 `address_taken`, `too_many_groups` or `deleted`, 422 at
 *   `address` or `members`
 */
export async function addGroup(ctx: SignedIn, given: InferBody<typeof createGroup>): Promise<GroupDetailDto> {
  return await inTransaction(ctx, async ({ tx }) => {
    const inTx = { ...ctx, tx };
    const company = await findInScope(inTx, Company, given.company_id ?? ctx.actor.companyId);
    refuseDeleted(company);
    const companyId = String(company.id);
    await refuseTooMany(inTx, companyId);
    const placed = await placeAddress(inTx, companyId, given.address);
    const group = await Group.create({ companyId, name: given.name, address: placed.address }, { transaction: tx });
    await claimAddress(inTx, placed, { kind: 'group', groupId: String(group.id) });
    await changeMembers(inTx, group, { members: given.members });
    await audit(inTx, group, 'group:created', { people: given.members.length });
    return await readGroup(inTx, String(group.id));
  });
}

/** Each word that a person types as a recipient is compared with all groups of the company. */
const mostGroups = 1000;

/** The caller has locked the company's row. */
async function refuseTooMany(ctx: TxCtx, companyId: string): Promise<void> {
  const count = await Group.count({ where: { companyId }, transaction: ctx.tx });
  if (count < mostGroups) return;
  const text = `The company has ${mostGroups} groups. Delete one first.`;
  throw conflict(text, 'too_many_groups', { name: text });
}

/**
 * Renames a group, switches it on or off, or changes its members.
 * @throws 404, 409 when it was changed meanwhile, 422 at `members` or `add_members`
 */
export async function changeGroup(
  ctx: SignedIn,
  id: string,
  given: InferBody<typeof updateGroup>,
): Promise<GroupDetailDto> {
  return await inTransaction(ctx, async ({ tx }) => {
    const inTx = { ...ctx, tx };
    const group = await findInScope(inTx, Group, id);
    const isOutdated = given.version !== undefined && given.version !== group.version;
    // An outdated form is refused below, so its members are not written
    const changed = isOutdated ? null : await changeMembers(inTx, group, given);
    const hasOtherPeople = changed !== null && changed.added.length + changed.removed.length > 0;
    await saveForm(inTx, group, {
      changes: {
        ...(given.name === undefined ? {} : { name: given.name }),
        ...(given.active_status === undefined ? {} : { activeStatus: given.active_status }),
      },
      fields: { name: 'name', activeStatus: 'active_status' },
      compared: ['name', 'activeStatus'],
      elsewhere: hasOtherPeople ? ['members'] : [],
      startedFrom: given.version,
      entity: 'group',
      action: 'group:updated',
      details: { address: group.address, ...(hasOtherPeople ? changed : {}) },
      present: () => readGroup(inTx, id),
    });
    return await readGroup(inTx, id);
  });
}

/**
 * Deletes a group for good. Its address can be used again from now on.
 * @throws 404, 409 `is_catch_all` while it is the catch-all of a domain
 */
export async function removeGroup(ctx: SignedIn, id: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const group = await findInScope(tx, Group, id);
    await endCatchAlls(tx, { groupId: id }, 'This group');
    await group.destroy({ transaction: tx.tx });
    await audit({ ...ctx, tx: tx.tx }, group, 'group:deleted');
  });
}

async function audit(
  ctx: InTx,
  group: Group,
  action: 'group:created' | 'group:deleted',
  details: Record<string, unknown> = {},
): Promise<void> {
  await recordAuditOf(ctx, group, {
    action,
    entity: 'group',
    details: { name: group.name, address: group.address, ...details },
  });
}
