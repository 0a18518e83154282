import type { TxCtx } from '@selvage/core/context/context';
import { maxMembers } from '@selvage/core/contracts/groups';
import type { Group } from '@selvage/core/models/group';
import { GroupMember } from '@selvage/core/models/group-member';
import { User } from '@selvage/core/models/user';
import { wrong } from '../users/guard-user.ts';

/** Ids of the people who were added to a group and who were removed from it. */
interface ChangedMembers {
  added: string[];
  removed: string[];
}

/**
 * Sets the members of a group. Deleted people stay members: no form shows them, and a restored
 * person gets the group's mail again. The caller has locked the group's row.
 * @throws 422 at `members` when one is no person of the company, or there are too many
 */
export async function setMembers(tx: TxCtx, group: Group, ids: readonly string[]): Promise<ChangedMembers> {
  const [groupId, companyId] = [String(group.id), String(group.companyId)];
  const wanted = new Set(ids);
  await refuseStrangers(tx, companyId, wanted);
  const { present, deleted } = await membersOf(tx, groupId);
  const added = [...wanted].filter((id) => !present.has(id));
  const removed = [...present].filter((id) => !wanted.has(id));
  if (wanted.size + deleted > maxMembers) {
    throw wrong('members', `A group has at most ${maxMembers} people, deleted ones among them`);
  }
  if (removed.length > 0) await GroupMember.destroy({ where: { groupId, userId: removed }, transaction: tx.tx });
  const rows = added.map((userId) => ({ groupId, userId, companyId }));
  if (rows.length > 0) await GroupMember.bulkCreate(rows, { transaction: tx.tx });
  return { added, removed };
}

async function refuseStrangers(tx: TxCtx, companyId: string, ids: ReadonlySet<string>): Promise<void> {
  if (ids.size === 0) return;
  const people = await User.findAll({
    where: { id: [...ids], companyId, deletedAt: null },
    attributes: ['id'],
    transaction: tx.tx,
    lock: tx.tx.LOCK.SHARE,
  });
  if (people.length < ids.size) throw wrong('members', 'Choose people of the company');
}

async function membersOf(tx: TxCtx, groupId: string): Promise<{ present: Set<string>; deleted: number }> {
  const rows = await GroupMember.findAll({ where: { groupId }, transaction: tx.tx });
  const ids = rows.map(({ userId }) => String(userId));
  const where = { id: ids, deletedAt: null };
  const people = await User.findAll({ where, attributes: ['id'], transaction: tx.tx });
  return { present: new Set(people.map(({ id }) => String(id))), deleted: ids.length - people.length };
}
