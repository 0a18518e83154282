import { readInScope } from '@selvage/core/access/scope';
import { readRows } from '@selvage/core/database/run-sql';
import type { InferQuery } from '@selvage/core/contracts/endpoint';
import type { GroupDetailDto, GroupDto, listGroups } from '@selvage/core/contracts/groups';
import { Group } from '@selvage/core/models/group';
import { GroupMember } from '@selvage/core/models/group-member';
import { User } from '@selvage/core/models/user';
import { Op } from 'sequelize';
import { findPage } from '../http/find-page.ts';
import type { Page } from '../http/paging.ts';
import { abilitiesOf, ofKeptCompany, withCompany } from '../http/record-state.ts';
import type { SignedIn } from '../http/request-context.ts';

/** One page of the groups in the caller's scope. Groups of deleted companies are left out. */
export async function findGroups(ctx: SignedIn, query: InferQuery<typeof listGroups>): Promise<Page<GroupDto[]>> {
  const { rows, total } = await findPage(ctx, Group, {
    query,
    sortColumns: { name: 'name', address: 'address', createdAt: 'createdAt' },
    searchColumns: ['name', 'address'],
    where: { [Op.and]: [ofKeptCompany, query.company_id ? { companyId: query.company_id } : {}] },
    include: [withCompany],
  });
  const people = await countPeople(ctx, rows);
  return { rows: rows.map((group) => presentGroup(ctx, group, people.get(String(group.id)) ?? 0)), total };
}

/** @throws 404 for another company's */
export async function readGroup(ctx: SignedIn, id: string): Promise<GroupDetailDto> {
  const group = await readInScope(ctx, Group, id, { include: [withCompany] });
  const rows = await GroupMember.findAll({ where: { groupId: id }, transaction: ctx.tx });
  const people = await User.findAll({
    where: { id: rows.map(({ userId }) => String(userId)), deletedAt: null },
    attributes: ['id', 'fname', 'lname', 'email', 'activeStatus'],
    order: [
      ['fname', 'ASC'],
      ['lname', 'ASC'],
      ['id', 'ASC'],
    ],
    transaction: ctx.tx,
  });
  const members = people.map(({ id: userId, fname, lname, email, activeStatus }) => ({
    _id: String(userId),
    fname,
    lname,
    email,
    active_status: activeStatus,
  }));
  return { ...presentGroup(ctx, group, members.length), members };
}

async function countPeople(ctx: SignedIn, groups: readonly Group[]): Promise<Map<string, number>> {
  if (groups.length === 0) return new Map();
  const rows = await readRows<{ groupId: string; people: number }>(
    ctx,
    `SELECT m.group_id AS groupId, COUNT(*) AS people FROM group_members m JOIN users u ON u.id = m.user_id
      WHERE m.group_id IN (?) AND u.deleted_at IS NULL GROUP BY m.group_id`,
    [groups.map(({ id }) => String(id))],
  );
  return new Map(rows.map(({ groupId, people }) => [String(groupId), Number(people)]));
}

function presentGroup(ctx: SignedIn, group: Group, people: number): GroupDto {
  return {
    _id: String(group.id),
    name: group.name,
    address: group.address,
    company_id: { _id: String(group.companyId), name: group.company?.name ?? '' },
    people,
    active_status: group.activeStatus,
    createdAt: group.createdAt.toISOString(),
    updatedAt: group.updatedAt.toISOString(),
    version: group.version,
    abilities: abilitiesOf(ctx, 'user', { deletedAt: null }),
  };
}
