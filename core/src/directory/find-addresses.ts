import type { App } from '../context/app.ts';
import { type Ctx, systemContext } from '../context/context.ts';
import { maxMembers } from '../contracts/groups.ts';
import { groupWorkOf, lookUpLimits } from '../database/group-work.ts';
import { readRows } from '../database/run-sql.ts';
import { domainOf } from '../mail/address-rules.ts';
import type { AddressKind } from '../models/address.ts';

/** Whether an address, a person or a domain takes mail. MariaDB returns the flags as numbers. */
export interface Usable {
  deleted: number;
  active: number;
  /** Of an address and a domain: whether the domain or its company is deleted. */
  domainDeleted?: number;
}

/** A person that mail can go to. */
export interface PersonRow extends Usable {
  userId: string;
  companyId: string;
  /** Address of the mailbox. */
  email: string;
}

/** What an address of the host leads to: to a person, or with `groupId` to a group. */
export interface AddressRow extends Omit<PersonRow, 'userId' | 'email'> {
  id: string;
  kind: AddressKind;
  userId: string | null;
  groupId: string | null;
  email: string | null;
  /** Whether the person or the company has a limit of storage of its own. */
  hasLimit: number;
}

const isDomainDeleted = '(c.deleted_at IS NOT NULL OR d.deleted_at IS NOT NULL) AS domainDeleted';
const domainState = `${isDomainDeleted}, (c.deleted_at IS NOT NULL OR d.deleted_at IS NOT NULL) AS deleted,
  (c.active_status AND COALESCE(d.active_status, 1)) AS active`;
const personState = `(u.deleted_at IS NOT NULL OR c.deleted_at IS NOT NULL OR d.deleted_at IS NOT NULL) AS deleted,
  (u.active_status AND c.active_status AND COALESCE(d.active_status, 1)) AS active`;
const addressState = `${isDomainDeleted}, (u.deleted_at IS NOT NULL OR c.deleted_at IS NOT NULL OR d.deleted_at IS NOT NULL) AS deleted,
  (COALESCE(u.active_status, g.active_status) AND c.active_status AND COALESCE(d.active_status, 1)) AS active`;

/** An address, and the same without its `+tag`. */
export interface Wanted {
  address: string;
  plain: string;
}

/** @param address normalised */
export function wantedOf(address: string): Wanted {
  const domain = domainOf(address);
  const local = address.slice(0, -domain.length - 1);
  return { address, plain: local.includes('+') ? `${local.slice(0, local.indexOf('+'))}@${domain}` : address };
}

const lookUps = groupWorkOf<App, Wanted, AddressRow | null>(
  (app, items) => findAddresses(systemContext(app), items),
  lookUpLimits,
);

/**
 * Looks an address up. Calls that come while a look-up is under way are looked up together, so a
 * busy door makes one query for many addresses.
 */
export async function findAddress(ctx: Ctx, wanted: Wanted): Promise<AddressRow | null> {
  if (ctx.tx !== undefined) return (await findAddresses(ctx, [wanted]))[0] ?? null;
  return await lookUps(ctx.app).add(wanted);
}

/** The rows of several addresses in their order, with one query. */
export async function findAddresses(ctx: Ctx, wanted: readonly Wanted[]): Promise<(AddressRow | null)[]> {
  const addresses = [...new Set(wanted.flatMap(({ address, plain }) => [address, plain]))];
  const rows = await readRows<AddressRow & { address: string }>(
    ctx,
    `SELECT a.id, a.address, a.kind, a.user_id AS userId, a.group_id AS groupId, a.company_id AS companyId, u.email, ${addressState},
            (COALESCE(u.storage_limit, c.mailbox_limit, c.storage_limit) IS NOT NULL) AS hasLimit
       FROM addresses a JOIN companies c ON c.id = a.company_id LEFT JOIN domains d ON d.id = a.domain_id
            LEFT JOIN users u ON u.id = a.user_id LEFT JOIN address_groups g ON g.id = a.group_id
      WHERE a.address IN (?)`,
    [addresses],
  );
  const byAddress = new Map(rows.map((row) => [row.address, row]));
  return wanted.map(({ address, plain }) => byAddress.get(address) ?? byAddress.get(plain) ?? null);
}

/** The people that a group delivers to, deleted and inactive ones among them. */
export function findMembers(ctx: Ctx, groupId: string): Promise<PersonRow[]> {
  return readRows<PersonRow>(
    ctx,
    `SELECT u.id AS userId, u.company_id AS companyId, u.email, ${personState}
       FROM group_members m JOIN users u ON u.id = m.user_id JOIN companies c ON c.id = u.company_id
            LEFT JOIN domains d ON d.id = u.domain_id
      WHERE m.group_id = ? ORDER BY m.user_id LIMIT ${maxMembers}`,
    [groupId],
  );
}

/** A mail domain of the host, and the address that takes mail for names that it does not have. */
export interface DomainRow extends Usable {
  companyId: string;
  catchAll: string | null;
  catchAllId: string | null;
}

const domainLookUps = groupWorkOf<App, string, DomainRow | undefined>(
  (app, names) => findDomains(systemContext(app), names),
  lookUpLimits,
);

/**
 * The domain of this name, if a company of the host has proved that it is theirs. Calls that come
 * while a look-up is under way are looked up together.
 */
export async function findDomain(ctx: Ctx, domain: string): Promise<DomainRow | undefined> {
  if (ctx.tx !== undefined) return (await findDomains(ctx, [domain]))[0];
  return await domainLookUps(ctx.app).add(domain);
}

/** The rows of several domains in the order of their names, with one query. */
async function findDomains(ctx: Ctx, names: readonly string[]): Promise<(DomainRow | undefined)[]> {
  const rows = await readRows<DomainRow & { name: string }>(
    ctx,
    `SELECT d.owned_name AS name, d.company_id AS companyId, a.address AS catchAll, a.id AS catchAllId, ${domainState}
       FROM domains d JOIN companies c ON c.id = d.company_id LEFT JOIN addresses a ON a.id = d.catch_all_id
      WHERE d.owned_name IN (?)`,
    [[...new Set(names)]],
  );
  const byName = new Map(rows.map((row) => [row.name, row]));
  return names.map((name) => byName.get(name));
}

/**
 * Says whether mail waits for the proof of a domain that a look-up has not found: a company has
 * added a domain of this name. None had proved it at the time of the look-up. One may have since.
 */
export async function isProofAwaited(ctx: Ctx, domain: string): Promise<boolean> {
  const statement = `SELECT d.id FROM domains d JOIN companies c ON c.id = d.company_id
    WHERE d.domain_name = ? AND d.deleted_at IS NULL AND (d.verified_at IS NULL OR c.deleted_at IS NULL) LIMIT 1`;
  return (await readRows<{ id: string }>(ctx, statement, [domain])).length > 0;
}

/** The provider's company. */
export async function findProvider(ctx: Ctx): Promise<{ companyId: string } | undefined> {
  const statement =
    'SELECT id AS companyId FROM companies WHERE is_provider AND deleted_at IS NULL ORDER BY id LIMIT 1';
  return (await readRows<{ companyId: string }>(ctx, statement, []))[0];
}

const mostAdministrators = 20;

/** Which administrators are taken where a company has many. */
const administratorOrders = { adminsFirst: 'r.role_id DESC, u.id', superAdminsFirst: 'r.role_id, u.id' };

/** The first of the people who administer a company and are switched on. */
export async function findAdministratorRows(
  ctx: Ctx,
  companyId: string,
  order: keyof typeof administratorOrders,
): Promise<PersonRow[]> {
  return await readRows<PersonRow>(
    ctx,
    `SELECT u.id AS userId, u.company_id AS companyId, u.email, ${personState}
       FROM users u JOIN roles r ON r.id = u.role_id JOIN companies c ON c.id = u.company_id LEFT JOIN domains d ON d.id = u.domain_id
      WHERE u.company_id = ? AND r.role_id IN (0, 1) AND u.deleted_at IS NULL AND u.active_status
      ORDER BY ${administratorOrders[order]} LIMIT ${mostAdministrators}`,
    [companyId],
  );
}
