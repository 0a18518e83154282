import type { Ctx } from '@selvage/core/context/context';
import type { CatchAllDto } from '@selvage/core/contracts/catch-all';
import { fullName } from '@selvage/core/contracts/full-name';
import { Address } from '@selvage/core/models/address';
import type { Domain } from '@selvage/core/models/domain';
import { Group } from '@selvage/core/models/group';
import { User } from '@selvage/core/models/user';

type Target = NonNullable<CatchAllDto['target']>;

/** Catch-alls by the id of their address. */
type Targets = Map<string, { address: string; target: Target | null }>;

/** A domain's catch-all as calls answer it. */
export function presentCatchAll(domain: Domain, targets: Targets): CatchAllDto {
  return {
    domain_id: String(domain.id),
    domain_name: domain.domainName,
    ...(targets.get(String(domain.catchAllId)) ?? { address: null, target: null }),
    version: domain.version,
  };
}

/** The catch-alls of these domains. This takes at most three queries. */
export async function readTargets(ctx: Ctx, domains: readonly Domain[]): Promise<Targets> {
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

async function namesOfPeople(ctx: Ctx, addresses: readonly Address[]): Promise<Map<string, Target>> {
  const id = addresses.flatMap(({ userId }) => userId ?? []);
  if (id.length === 0) return new Map();
  const attributes = ['id', 'fname', 'lname'];
  const people = await User.findAll({ where: { id }, attributes, transaction: ctx.tx });
  return new Map(
    people.map((user) => [String(user.id), { kind: 'person', _id: String(user.id), name: fullName(user) }]),
  );
}

async function namesOfGroups(ctx: Ctx, addresses: readonly Address[]): Promise<Map<string, Target>> {
  const id = addresses.flatMap(({ groupId }) => groupId ?? []);
  if (id.length === 0) return new Map();
  const groups = await Group.findAll({ where: { id }, attributes: ['id', 'name'], transaction: ctx.tx });
  return new Map(groups.map((group) => [String(group.id), { kind: 'group', _id: String(group.id), name: group.name }]));
}
