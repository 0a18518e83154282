import { domainOf, normaliseAddress } from '../mail/addresses.ts';
import type { App } from '../context/app.ts';
import { type Ctx, systemContext } from '../context/context.ts';
import { GroupWork } from '../database/group-work.ts';
import { readRows } from '../database/run-sql.ts';

/**
 * What becomes of mail for an address. Expected answers are values; a look-up that fails throws,
 * and its caller answers 4xx.
 */
export type Resolution =
  | { kind: 'deliver'; userId: string; companyId: string; address: string }
  /** Not a domain of this host. */
  | { kind: 'relay' }
  | { kind: 'reject'; code: 550; enhancedCode: string; reason: 'unknown_recipient' | 'deleted_mailbox'; text: string }
  | { kind: 'defer'; code: 450; enhancedCode: string; reason: 'inactive_mailbox'; text: string };

interface MailboxRow {
  userId: string;
  companyId: string;
  deleted: number;
  active: number;
}

const unknown: Resolution = {
  kind: 'reject',
  code: 550,
  enhancedCode: '5.1.1',
  reason: 'unknown_recipient',
  text: 'No such mailbox here',
};
const deleted: Resolution = { ...unknown, reason: 'deleted_mailbox' };
const inactive: Resolution = {
  kind: 'defer',
  code: 450,
  enhancedCode: '4.2.1',
  reason: 'inactive_mailbox',
  text: 'This mailbox is not accepting mail at the moment, try again later',
};

/** RFC 5321 4.5.1 and RFC 2142: a domain that takes mail takes it for these names too. */
const roleNames = new Set(['postmaster', 'abuse']);

/**
 * Resolves an address (D7): to a mailbox, by its own name or with a `+tag` (RFC 5233), or for a
 * domain's postmaster to the administrator of its company.
 * @throws when the database can't answer
 */
export async function resolveRecipient(ctx: Ctx, address: string): Promise<Resolution> {
  const normal = normaliseAddress(address);
  if (!normal) return unknown;
  const domain = domainOf(normal);
  const local = normal.slice(0, -domain.length - 1);
  const plain = local.includes('+') ? `${local.slice(0, local.indexOf('+'))}@${domain}` : normal;
  const row = await findMailbox(ctx, { address: normal, plain });
  if (row) return judge(row, normal);
  const [owner] = await findDomain(ctx, domain);
  if (!owner) return await resolveHost(ctx, local, normal);
  if (owner.deleted) return deleted;
  if (!owner.active) return inactive;
  if (!roleNames.has(local)) return unknown;
  const [administrator] = await findAdministrator(ctx, owner.companyId);
  return administrator ? judge(administrator, normal) : unknown;
}

/**
 * RFC 5321 4.5.1: postmaster of the host itself is the administrator of its provider, also where
 * the host's name is no mail domain.
 */
async function resolveHost(ctx: Ctx, local: string, address: string): Promise<Resolution> {
  if (!roleNames.has(local) || domainOf(address) !== ctx.app.config.hostname) return { kind: 'relay' };
  const [provider] = await findProvider(ctx);
  const [administrator] = provider ? await findAdministrator(ctx, provider.companyId) : [];
  return administrator ? judge(administrator, address) : unknown;
}

function judge(row: MailboxRow, address: string): Resolution {
  if (row.deleted) return deleted;
  if (!row.active) return inactive;
  return { kind: 'deliver', userId: String(row.userId), companyId: String(row.companyId), address };
}

const state = `(u.deleted_at IS NOT NULL OR c.deleted_at IS NOT NULL OR d.deleted_at IS NOT NULL) AS deleted,
  (u.active_status AND c.active_status AND COALESCE(d.active_status, 1)) AS active`;

/** An address, and the same without its `+tag`. */
interface Wanted {
  address: string;
  plain: string;
}

const lookUps = new WeakMap<App, GroupWork<Wanted, MailboxRow | null>>();
const lookUpLimits = { items: 100, lanes: 4, patienceMs: 20, gatherMs: 0 };

/**
 * Addresses that are asked for while a look-up is under way are looked up together: a busy door
 * makes one query for many.
 */
async function findMailbox(ctx: Ctx, wanted: Wanted): Promise<MailboxRow | null> {
  if (ctx.tx !== undefined) return (await findMailboxes(ctx, [wanted]))[0] ?? null;
  const { app } = ctx;
  let group = lookUps.get(app);
  if (group === undefined) {
    group = new GroupWork((items) => findMailboxes(systemContext(app), items), lookUpLimits);
    lookUps.set(app, group);
  }
  return await group.add(wanted);
}

async function findMailboxes(ctx: Ctx, wanted: readonly Wanted[]): Promise<(MailboxRow | null)[]> {
  const addresses = [...new Set(wanted.flatMap(({ address, plain }) => [address, plain]))];
  const rows = await readRows<MailboxRow & { email: string }>(
    ctx,
    `SELECT u.id AS userId, u.company_id AS companyId, u.email, ${state}
       FROM users u JOIN companies c ON c.id = u.company_id LEFT JOIN domains d ON d.id = u.domain_id
      WHERE u.email IN (?)`,
    [addresses],
  );
  const byAddress = new Map(rows.map((row) => [row.email, row]));
  return wanted.map(({ address, plain }) => byAddress.get(address) ?? byAddress.get(plain) ?? null);
}

function findDomain(ctx: Ctx, domain: string): Promise<Omit<MailboxRow, 'userId'>[]> {
  return readRows<Omit<MailboxRow, 'userId'>>(
    ctx,
    `SELECT d.company_id AS companyId, (d.deleted_at IS NOT NULL OR c.deleted_at IS NOT NULL) AS deleted,
            (d.active_status AND c.active_status) AS active
       FROM domains d JOIN companies c ON c.id = d.company_id WHERE d.domain_name = ?`,
    [domain],
  );
}

function findProvider(ctx: Ctx): Promise<{ companyId: string }[]> {
  const statement =
    'SELECT id AS companyId FROM companies WHERE is_provider AND deleted_at IS NULL ORDER BY id LIMIT 1';
  return readRows(ctx, statement, []);
}

function findAdministrator(ctx: Ctx, companyId: string): Promise<MailboxRow[]> {
  return readRows<MailboxRow>(
    ctx,
    `SELECT u.id AS userId, u.company_id AS companyId, ${state}
       FROM users u JOIN roles r ON r.id = u.role_id JOIN companies c ON c.id = u.company_id LEFT JOIN domains d ON d.id = u.domain_id
      WHERE u.company_id = ? AND r.role_id IN (0, 1) AND u.deleted_at IS NULL AND u.active_status
      ORDER BY r.role_id DESC, u.id LIMIT 1`,
    [companyId],
  );
}
