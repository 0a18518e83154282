import { fullName } from '@selvage/core/contracts/full-name';
import { holdsPermission } from '@selvage/core/access/effective-permissions';
import type { CatchAllRowDto, listCatchAlls } from '@selvage/core/contracts/catch-all';
import type { InferQuery } from '@selvage/core/contracts/endpoint';
import { canHaveAddresses } from '@selvage/core/directory/domain-proof';
import { Address } from '@selvage/core/models/address';
import { Domain } from '@selvage/core/models/domain';
import { Group } from '@selvage/core/models/group';
import { User } from '@selvage/core/models/user';
import { Op } from 'sequelize';
import { findPage } from '../http/find-page.ts';
import type { Page } from '../http/paging.ts';
import { ofKeptCompany, withCompany } from '../http/record-state.ts';
import type { SignedIn } from '../http/request-context.ts';

type Query = InferQuery<typeof listCatchAlls>;
type Target = NonNullable<CatchAllRowDto['target']>;

/**
 * One page of the domains in the caller's scope, each with its catch-all. Deleted and unverified
 * domains and those of deleted companies are left out.
 */
export async function findCatchAlls(ctx: SignedIn, query: Query): Promise<Page<CatchAllRowDto[]>> {
  const { rows, total } = await findPage(ctx, Domain, {
    query,
    sortColumns: { domain_name: 'domainName' },
    searchColumns: ['domainName'],
    where: { [Op.and]: [canHaveAddresses, ofKeptCompany, query.company_id ? { companyId: query.company_id } : {}] },
    include: [withCompany],
  });
  const targets = await readTargets(ctx, rows);
  const edit = holdsPermission(ctx.actor.permissions, 'domain', 'edit');
  const present = (domain: Domain): CatchAllRowDto => ({
    domain_id: String(domain.id),
    domain_name: domain.domainName,
    company_id: { _id: String(domain.companyId), name: domain.company?.name ?? '' },
    ...(targets.get(String(domain.catchAllId)) ?? { address: null, target: null }),
    abilities: { edit },
  });
  return { rows: rows.map(present), total };
}

/** The catch-alls of a page by the id of their address. This takes at most three queries. */
async function readTargets(
  ctx: SignedIn,
  domains: readonly Domain[],
): Promise<Map<string, { address: string; target: Target | null }>> {
  const ids = domains.flatMap(({ catchAllId }) => catchAllId ?? []);
  if (ids.length === 0) return new Map();
  const addresses = await Address.findAll({ where: { id: ids }, transaction: ctx.tx });
  const [people, groups] = await Promise.all([namesOfPeople(ctx, addresses), namesOfGroups(ctx, addresses)]);
  return new Map(
    addresses.map(({ id, address, userId, groupId }) => {
      const target = people.get(String(userId)) ?? groups.get(String(groupId)) ?? null;
      return [String(id), { address, target }];
    }),
  );
}

async function namesOfPeople(ctx: SignedIn, addresses: readonly Address[]): Promise<Map<string, Target>> {
  const id = addresses.flatMap(({ userId }) => userId ?? []);
  if (id.length === 0) return new Map();
  const attributes = ['id', 'fname', 'lname'];
  const people = await User.findAll({ where: { id }, attributes, transaction: ctx.tx });
  return new Map(
    people.map((user) => [String(user.id), { kind: 'person', _id: String(user.id), name: fullName(user) }]),
  );
}

async function namesOfGroups(ctx: SignedIn, addresses: readonly Address[]): Promise<Map<string, Target>> {
  const id = addresses.flatMap(({ groupId }) => groupId ?? []);
  if (id.length === 0) return new Map();
  const groups = await Group.findAll({ where: { id }, attributes: ['id', 'name'], transaction: ctx.tx });
  return new Map(groups.map((group) => [String(group.id), { kind: 'group', _id: String(group.id), name: group.name }]));
}
