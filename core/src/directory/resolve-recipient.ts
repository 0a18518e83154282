import { domainOf } from '../mail/address-rules.ts';
import { normaliseAddress } from '../mail/addresses.ts';
import type { Ctx } from '../context/context.ts';
import type { Expansion } from '../models/delivery.ts';
import {
  type AddressRow,
  type DomainRow,
  findAddress,
  findAdministratorRows,
  findDomain,
  findMembers,
  findProvider,
  isProofAwaited,
  type PersonRow,
  type Usable,
  wantedOf,
} from './find-addresses.ts';

/** A person that a message goes to. */
export interface ResolvedPerson {
  userId: string;
  companyId: string;
  /** The normalised address that was resolved. */
  address: string;
  /** How the address led to the person, unless it is their mailbox. */
  expansion?: Expansion;
  /**
   * True when no storage limit applies to the person. Known only where the address leads to one
   * person.
   */
  isUnlimited?: boolean;
}

/**
 * What becomes of mail for an address. Expected answers are values; a look-up that fails throws,
 * and its caller answers 4xx.
 */
export type Resolution =
  | ({ kind: 'deliver' } & ResolvedPerson)
  /** Each of several people gets the message; there is at least one. */
  | { kind: 'group'; members: ResolvedPerson[] }
  /** Not a domain of this host. */
  | { kind: 'relay' }
  | (Refusal & {
      kind: 'reject';
      code: 550;
      reason: 'unknown_recipient' | 'deleted_mailbox';
      /** The domain or its company is deleted, so the domain may have moved to another host. */
      hasLeft?: boolean;
    })
  | (Refusal & { kind: 'defer'; code: 450; reason: 'inactive_mailbox' | 'unproved_domain' });

/**
 * Whether the domain of an address was deleted here, or its company. It may have moved to another
 * host, so its mail goes to the host that the DNS names now (D7).
 */
export function hasLeft(found: Resolution): boolean {
  return found.kind === 'reject' && found.hasLeft === true;
}

/** A group that an address leads to, before its people are read. */
export interface UnreadGroup {
  kind: 'unread_group';
  groupId: string;
  companyId: string;
  /** The normalised address that was resolved. */
  address: string;
  expandedBy: Expansion['by'];
}

/** What an address leads to. The people of a group are not read yet. */
export type Located = Resolution | UnreadGroup;

interface Refusal {
  enhancedCode: string;
  text: string;
  /** The company that owns the address or domain; null when no company has proved the domain. */
  companyId: string | null;
}

const unknown: Resolution = {
  kind: 'reject',
  code: 550,
  enhancedCode: '5.1.1',
  reason: 'unknown_recipient',
  text: 'No such mailbox here',
  companyId: null,
};
const deleted: Resolution = { ...unknown, reason: 'deleted_mailbox' };
const left: Resolution = { ...unknown, reason: 'deleted_mailbox', hasLeft: true };
const inactive: Resolution = {
  kind: 'defer',
  code: 450,
  enhancedCode: '4.2.1',
  reason: 'inactive_mailbox',
  text: 'This mailbox is not accepting mail at the moment, try again later',
  companyId: null,
};

const unproved: Resolution = {
  ...inactive,
  enhancedCode: '4.7.1',
  reason: 'unproved_domain',
  text: 'This domain is not verified here yet, try again later',
};

/** RFC 5321 4.5.1 and RFC 2142: a domain that takes mail takes it for these names too. */
const roleNames = new Set(['postmaster', 'abuse']);

/**
 * A person who reads the mail for one of these names, or for postmaster, can get a certificate for
 * the domain (Baseline Requirements of the CA/Browser Forum, 3.2.2.4.4).
 */
const ownerNames = new Set(['admin', 'administrator', 'webmaster', 'hostmaster']);

/**
 * Whether mail to a name is for the owner of its domain. The reader of such mail can get a
 * certificate for the domain, or answers for what it sends.
 */
export function isOwnersName(local: string): boolean {
  return roleNames.has(local) || ownerNames.has(local);
}

/**
 * Whether administrators take mail for a name that is no address. `mailer-daemon` of the host is
 * such a name, since some people answer the reports that it sends.
 * @param catchAll of the domain; without one, a name of its owner is as unknown as any other
 */
function isRole(
  ctx: Ctx,
  { local, domain, catchAll }: { local: string; domain: string; catchAll: string | null },
): boolean {
  if (catchAll !== null && ownerNames.has(local)) return true;
  return roleNames.has(local) || (local === 'mailer-daemon' && domain === ctx.app.config.hostname);
}

/**
 * Resolves an address (D7, D35): to a mailbox, to the person of an alias or to the members of a
 * group, by its own name or with a `+tag` (RFC 5233). A name that the domain does not have goes to
 * its administrators if it is postmaster or abuse, else to its catch-all if it has one; but the
 * names by which a domain is proved go to the administrators then. For a company without an
 * administrator, those of the provider take the mail.
 *
 * A group has people as members and a catch-all is a mailbox or a group. So an address is expanded
 * at most twice, and never in a loop.
 * @throws when the database can't answer
 */
export async function resolveRecipient(ctx: Ctx, address: string): Promise<Resolution> {
  const located = await locate(ctx, address);
  return located.kind === 'unread_group' ? await readGroup(ctx, located) : located;
}

/**
 * The id of the row that takes mail for an address: by its own name, without its `+tag`, or as the
 * catch-all of its domain. Null for an address of another host, and for postmaster and other names
 * that administrators take. An address that was freed and given to another person, alias or group
 * has another row.
 * @param address normalised
 */
export async function findAddressId(ctx: Ctx, address: string): Promise<string | null> {
  const row = await findAddress(ctx, wantedOf(address));
  if (row) return String(row.id);
  const domain = domainOf(address);
  const { catchAll = null, catchAllId = null } = (await findDomain(ctx, domain)) ?? {};
  if (isRole(ctx, { local: address.slice(0, -domain.length - 1), domain, catchAll })) return null;
  return catchAllId === null ? null : String(catchAllId);
}

async function locate(ctx: Ctx, address: string): Promise<Located> {
  const normal = normaliseAddress(address);
  if (!normal) return unknown;
  const domain = domainOf(normal);
  const local = normal.slice(0, -domain.length - 1);
  const row = await findAddress(ctx, wantedOf(normal));
  if (row) return ofCompany(row, follow(ctx, row, { address: normal }));
  const owner = await findDomain(ctx, domain);
  if (!owner) return await resolveHost(ctx, local, normal);
  return ofCompany(owner, await resolveName(ctx, owner, { local, address: normal }));
}

/** Resolves a name that is no address of its domain. */
async function resolveName(
  ctx: Ctx,
  owner: DomainRow,
  { local, address }: { local: string; address: string },
): Promise<Located> {
  const refusal = refusalOf(owner);
  if (refusal) return refusal;
  const { catchAll } = owner;
  if (isRole(ctx, { local, domain: domainOf(address), catchAll }))
    return await resolveAdministrator(ctx, owner.companyId, address);
  return catchAll === null ? unknown : await resolveCatchAll(ctx, catchAll, address);
}

/** Adds the company that owns the address or the domain to a refusal. */
function ofCompany<L extends Located>({ companyId }: Pick<DomainRow, 'companyId'>, located: L): L {
  const isRefused = located.kind === 'reject' || located.kind === 'defer';
  return isRefused ? { ...located, companyId: String(companyId) } : located;
}

/**
 * Resolves an address for a server outside, up to the people of a group, which `readGroup` reads:
 * they are the same for each `+tag` of its address. A company may have pointed the MX record of its
 * domain here before the domain is proved (D34). Mail for such a domain is deferred, so its senders
 * keep it and try again.
 * @throws when the database can't answer
 */
export async function locateAtDoor(ctx: Ctx, address: string): Promise<Located> {
  const located = await locate(ctx, address);
  if (located.kind !== 'relay') return located;
  const normal = normaliseAddress(address);
  return normal && (await isProofAwaited(ctx, domainOf(normal))) ? unproved : located;
}

/**
 * RFC 5321 4.5.1: postmaster of the host itself is the administrator of its provider, also where
 * the host's name is no mail domain.
 */
async function resolveHost(ctx: Ctx, local: string, address: string): Promise<Resolution> {
  const domain = domainOf(address);
  if (domain !== ctx.app.config.hostname || !isRole(ctx, { local, domain, catchAll: null })) return { kind: 'relay' };
  const provider = await findProvider(ctx);
  return provider ? ofCompany(provider, await resolveAdministrator(ctx, provider.companyId, address)) : unknown;
}

/**
 * The catch-all never gets this mail, since its reader could pass as the owner of the domain, for
 * example before a certificate authority. RFC 5321 4.5.1: the domain must accept that for
 * postmaster.
 */
async function resolveAdministrator(ctx: Ctx, companyId: string, address: string): Promise<Resolution> {
  const own = (await findAdministratorRows(ctx, companyId, 'adminsFirst')).filter((row) => !refusalOf(row));
  const administrators = own.length > 0 ? own : await findProviderAdministrators(ctx);
  const [first, ...others] = administrators;
  if (!first) return unknown;
  if (others.length === 0) return refusalOf(first) ?? { kind: 'deliver', ...personOf(first, address, 'group') };
  return membersOf(administrators, { address, by: 'group' });
}

async function findProviderAdministrators(ctx: Ctx): Promise<PersonRow[]> {
  const provider = await findProvider(ctx);
  return provider ? await findAdministratorRows(ctx, provider.companyId, 'adminsFirst') : [];
}

/** Where the catch-all or its domain is deleted, the name is one that its domain does not have. */
async function resolveCatchAll(ctx: Ctx, target: string, address: string): Promise<Located> {
  const row = await findAddress(ctx, { address: target, plain: target });
  const found = row ? follow(ctx, row, { address, by: 'catch_all' }) : unknown;
  return found.kind === 'reject' ? unknown : found;
}

/**
 * The address that was resolved, and how it led to the row, unless the row is that of the address
 * itself.
 */
interface Sought {
  address: string;
  by?: Expansion['by'];
}

function follow(ctx: Ctx, row: AddressRow, { address, by }: Sought): Located {
  const refusal = refusalOf(row);
  if (refusal) return refusal;
  const { groupId, userId, companyId, email } = row;
  if (groupId !== null) {
    const ids = { groupId: String(groupId), companyId: String(companyId) };
    return { kind: 'unread_group', ...ids, address, expandedBy: by ?? 'group' };
  }
  if (userId === null || email === null) return unknown;
  const expandedBy = by ?? (row.kind === 'alias' ? 'alias' : undefined);
  const isUnlimited = Number(row.hasLimit) === 0 && ctx.app.config.mailboxBytes === null;
  return { kind: 'deliver', ...personOf({ userId, companyId, email }, address, expandedBy), isUnlimited };
}

/**
 * The members who take mail now. Inactive and deleted members get no copy; the others still do.
 * When none takes mail but some are only inactive, the mail is deferred, so the sender retries.
 */
export async function readGroup(ctx: Ctx, group: UnreadGroup): Promise<Resolution> {
  const { groupId, address, expandedBy } = group;
  return ofCompany(group, membersOf(await findMembers(ctx, groupId), { address, by: expandedBy }));
}

function membersOf(members: readonly PersonRow[], { address, by }: Required<Sought>): Resolution {
  const usable = members.filter((member) => !refusalOf(member)).map((member) => personOf(member, address, by));
  if (usable.length > 0) return { kind: 'group', members: usable };
  return members.some((member) => !member.deleted) ? inactive : unknown;
}

function refusalOf({ deleted: isDeleted, active, domainDeleted }: Usable): Resolution | null {
  if (domainDeleted) return left;
  if (isDeleted) return deleted;
  return active ? null : inactive;
}

function personOf(
  { userId, companyId, email }: Pick<PersonRow, 'userId' | 'companyId' | 'email'>,
  address: string,
  by?: Expansion['by'],
): ResolvedPerson {
  const expansion = by ? { expansion: { by, to: email } } : {};
  return { userId: String(userId), companyId: String(companyId), address, ...expansion };
}
