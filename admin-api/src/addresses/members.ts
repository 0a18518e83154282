import type { TxCtx } from '@selvage/core/context/context';
import { nameOrAddress } from '@selvage/core/contracts/full-name';
import { type GroupChange, maxMembers } from '@selvage/core/contracts/groups';
import type { Group } from '@selvage/core/models/group';
import { GroupMember } from '@selvage/core/models/group-member';
import { User } from '@selvage/core/models/user';
import { Op } from 'sequelize';
import { wrong } from '../users/guard-user.ts';
import { ownersNameProblem } from './claim-address.ts';

/** Ids of the people who were added to a group and who were removed from it. */
interface ChangedMembers {
  added: string[];
  removed: string[];
}

/** The fields of a form that say who is in a group. */
type GivenMembers = Pick<GroupChange, 'members' | 'add_members' | 'remove_members'>;

/**
 * Changes the members of a group. Deleted people stay members unless they are named as removed: no
 * form shows them, and a restored person gets the group's mail again. The caller has locked the
 * group's row.
 * @throws 422 at `members` or `add_members` when a new one is deleted or no person of the company,
 *   there are too many, or the caller may not give the group's name to people
 */
export async function changeMembers(tx: TxCtx, group: Group, given: GivenMembers): Promise<ChangedMembers> {
  const [groupId, companyId] = [String(group.id), String(group.companyId)];
  const field = given.members ? 'members' : 'add_members';
  const { members, deleted } = await membersOf(tx, groupId);
  const wanted = new Set([...(given.members ? [...given.members, ...deleted] : members), ...(given.add_members ?? [])]);
  for (const id of given.remove_members ?? []) wanted.delete(id);
  const added = [...wanted].filter((id) => !members.has(id));
  const removed = [...members].filter((id) => !wanted.has(id));
  const problem = added.length > 0 ? ownersNameProblem(tx, { companyId, address: group.address }) : null;
  if (problem) throw wrong(field, problem);
  await refuseStrangers(tx, companyId, field, added);
  if (wanted.size > maxMembers) {
    throw wrong(field, `A group has at most ${maxMembers} people, deleted ones among them`);
  }
  if (removed.length > 0) await GroupMember.destroy({ where: { groupId, userId: removed }, transaction: tx.tx });
  const rows = added.map((userId) => ({ groupId, userId, companyId }));
  if (rows.length > 0) await GroupMember.bulkCreate(rows, { transaction: tx.tx });
  return { added, removed };
}

async function refuseStrangers(tx: TxCtx, companyId: string, field: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const people = await User.findAll({
    where: { id: [...ids], companyId },
    attributes: ['id', 'fname', 'lname', 'email', 'deletedAt'],
    transaction: tx.tx,
    lock: tx.tx.LOCK.SHARE,
  });
  if (people.length < ids.length) throw wrong(field, 'Choose people of the company');
  const deleted = people.filter(({ deletedAt }) => deletedAt !== null).map(nameOrAddress);
  if (deleted.length > 0) throw wrong(field, `Deleted people cannot be added: ${deleted.join(', ')}`);
}

/** Ids of all members of a group, and of the deleted ones among them. */
async function membersOf(tx: TxCtx, groupId: string): Promise<{ members: Set<string>; deleted: string[] }> {
  const rows = await GroupMember.findAll({ where: { groupId }, transaction: tx.tx });
  const ids = rows.map(({ userId }) => String(userId));
  const where = { id: ids, deletedAt: { [Op.ne]: null } };
  const people = await User.findAll({ where, attributes: ['id'], transaction: tx.tx });
  return { members: new Set(ids), deleted: people.map(({ id }) => String(id)) };
}
