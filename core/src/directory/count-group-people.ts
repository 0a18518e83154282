import type { Ctx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import { domainOf } from '../mail/address-rules.ts';
import { normaliseAddress } from '../mail/addresses.ts';
import { findAddresses, wantedOf } from './find-addresses.ts';

/**
 * The most people for whom a message is stored by groups (D35). Each person counts once for every
 * address of the envelope that leads to them, since the ledger has a row for each.
 */
export const mostPeople = 1000;

/**
 * Counts the people that these addresses lead to by groups of the host, also where a group is a
 * catch-all. A group counts for each address that leads to it, such as for each `+tag`.
 */
export async function countGroupPeople(ctx: Ctx, addresses: readonly string[]): Promise<number> {
  const wanted = addresses.map((address) => wantedOf(normaliseAddress(address) ?? address));
  const rows = await findAddresses(ctx, wanted);
  const unknown = wanted.flatMap(({ address }, index) => (rows[index] ? [] : [domainOf(address)]));
  const catchAlls = await findCatchAllGroups(ctx, unknown);
  const named = rows.flatMap((row) => (row?.groupId ? [String(row.groupId)] : []));
  const groupIds = [...named, ...unknown.flatMap((domain) => catchAlls.get(domain) ?? [])];
  const sizes = await sizesOf(ctx, new Set(groupIds));
  return groupIds.reduce((sum, id) => sum + (sizes.get(id) ?? 0), 0);
}

/** The ids of groups that take the mail for names which these domains do not have. */
async function findCatchAllGroups(ctx: Ctx, domains: readonly string[]): Promise<Map<string, string>> {
  if (domains.length === 0) return new Map();
  const rows = await readRows<{ domain: string; groupId: string }>(
    ctx,
    `SELECT d.owned_name AS domain, a.group_id AS groupId FROM domains d JOIN addresses a ON a.id = d.catch_all_id
      WHERE d.owned_name IN (?) AND a.group_id IS NOT NULL`,
    [[...new Set(domains)]],
  );
  return new Map(rows.map(({ domain, groupId }) => [domain, String(groupId)]));
}

async function sizesOf(ctx: Ctx, groupIds: ReadonlySet<string>): Promise<Map<string, number>> {
  if (groupIds.size === 0) return new Map();
  const rows = await readRows<{ groupId: string; people: number }>(
    ctx,
    `SELECT m.group_id AS groupId, COUNT(*) AS people FROM group_members m JOIN users u ON u.id = m.user_id
      WHERE m.group_id IN (?) AND u.deleted_at IS NULL AND u.active_status GROUP BY m.group_id`,
    [[...groupIds]],
  );
  return new Map(rows.map(({ groupId, people }) => [String(groupId), Number(people)]));
}
