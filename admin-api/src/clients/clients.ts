import { recordAuditOf } from '@selvage/core/access/audit';
import { requireHost } from '@selvage/core/access/effective-permissions';
import { saveForm } from '@selvage/core/access/save-form';
import { findInScope, readInScope } from '@selvage/core/access/scope';
import { type Ctx, inTransaction, type TxCtx } from '@selvage/core/context/context';
import type {
  ClientDetailDto,
  ClientDto,
  createClient,
  listClients,
  updateClient,
} from '@selvage/core/contracts/clients';
import type { InferBody, InferQuery } from '@selvage/core/contracts/endpoint';
import { dropLinksTo } from '@selvage/core/directory/one-time-links';
import { type PlanLimits, readPlanUse } from '@selvage/core/directory/plan-limits';
import { refuseSimilarDomain } from '@selvage/core/directory/similar-domain';
import { provisionTenant } from '@selvage/core/directory/provision-tenant';
import { conflict, invalid } from '@selvage/core/errors';
import { domainOf } from '@selvage/core/mail/address-rules';
import { normaliseAddress } from '@selvage/core/mail/addresses';
import { companyDomain } from '@selvage/core/mail/domain-name';
import { Client } from '@selvage/core/models/client';
import { Company } from '@selvage/core/models/company';
import { Domain } from '@selvage/core/models/domain';
import { Role } from '@selvage/core/models/role';
import { User } from '@selvage/core/models/user';
import { hashPassword } from '@selvage/core/secrets/password-hash';
import { passwordProblem } from '@selvage/core/secrets/password-rules';
import type { Attributes } from 'sequelize';
import { limitFields, limitsOf, refuseNewLimits } from '../companies/form-limits.ts';
import { presentCompany } from '../companies/present-company.ts';
import { removeTenant, eraseTenant, restoreTenant, switchTenant } from '../companies/tenant-life.ts';
import { findPage } from '../http/find-page.ts';
import { formValues } from '../http/form-values.ts';
import type { Page } from '../http/paging.ts';
import { refuseDeleted, whereState } from '../http/record-state.ts';
import type { SignedIn } from '../http/request-context.ts';
import { requireNewPasswordOf } from '../users/account-security.ts';
import { findGoverned, lockCaller } from '../users/guard-user.ts';
import { presentClient, presentClients } from './present-client.ts';

type Body = InferBody<typeof updateClient>;
type NewClient = InferBody<typeof createClient>;

/**
 * The form's fields, by the attribute of the client that each fills. The name of the company
 * belongs to the company.
 */
const fields = {
  fname: 'fname',
  lname: 'lname',
  phoneNumber: 'phone_number',
  country: 'country',
  personalEmail: 'personal_email',
} as const;

const attributes = Object.keys(fields) as (keyof typeof fields)[];

/** One page of the clients in the caller's scope. */
export async function findClients(ctx: SignedIn, query: InferQuery<typeof listClients>): Promise<Page<ClientDto[]>> {
  const { rows, total } = await findPage(ctx, Client, {
    query,
    sortColumns: {
      fname: 'fname',
      personal_email: 'personalEmail',
      business_email: 'businessEmail',
      createdAt: 'createdAt',
    },
    searchColumns: ['fname', 'lname', 'personalEmail', 'businessEmail', 'company.name'],
    where: whereState(Client, query),
    include: [{ association: 'company' }],
  });
  return {
    rows: await presentClients(
      ctx,
      rows.map((client) => ({ client, company: companyIn(client) })),
    ),
    total,
  };
}

function companyIn({ id, company }: Client): Company {
  if (!company) throw new Error(`client ${id} has no company`);
  return company;
}

/** @throws 404 */
export async function readClient(ctx: SignedIn, id: string): Promise<ClientDetailDto> {
  const client = await readInScope(ctx, Client, id, { include: [{ association: 'company' }] });
  const company = companyIn(client);
  const [presented, { abilities: _abilities, createdBy: _createdBy, ...shown }, counts, plan] = await Promise.all([
    presentClient(ctx, client, company),
    presentCompany(ctx, company),
    countRecords(String(company.id)),
    readPlanUse(ctx, company),
  ]);
  return { ...presented, company: shown, plan, counts };
}

async function countRecords(companyId: string): Promise<ClientDetailDto['counts']> {
  const where = { companyId, deletedAt: null };
  const [users, roles, domains, companies] = await Promise.all([
    User.count({ where: { ...where, erasedAt: null } }),
    Role.count({ where }),
    Domain.count({ where }),
    Company.count({ where: { id: companyId, deletedAt: null } }),
  ]);
  return { users, roles, domains, companies };
}

/**
 * Adds a client with its company, domain, roles and administrator, or nothing at all (D6).
 * @throws 403 for people of tenants, 409 when the domain is taken or looks like another one, 422
 */
export async function addClient(ctx: SignedIn, body: NewClient): Promise<ClientDto> {
  requireHost(ctx);
  const email = normaliseAddress(body.business_email);
  if (email === null) throw invalid({ business_email: 'Invalid email' });
  const domain = domainOf(email);
  if (companyDomain(domain) === null || domain === ctx.app.config.hostname) {
    throw invalid({ business_email: 'This domain cannot belong to a company' });
  }
  const problem = await passwordProblem(body.password, email);
  if (problem) throw invalid({ password: problem });
  if (!body.similar_domain_ok) await refuseSimilarDomain(ctx, domain, 'business_email');
  const passwordHash = await hashPassword(body.password);
  return await inTransaction(ctx, (tx) => createAll(tx, ctx, { ...body, email, passwordHash }));
}

async function createAll(
  tx: TxCtx,
  ctx: SignedIn,
  given: NewClient & { email: string; passwordHash: string },
): Promise<ClientDto> {
  const { email, passwordHash, active_status: activeStatus = true } = given;
  const person = { fname: given.fname, lname: given.lname ?? '', ...contactOf(given) };
  const { company } = await provisionTenant(tx, {
    company: { name: given.company_name, activeStatus, createdBy: ctx.actor.userId, ...limitsOf(given) },
    administrator: {
      ...person,
      email,
      passwordHash,
      requiredData: true,
      passwordChangeRequired: given.password_change_required ?? true,
    },
  });
  const client = await Client.create(
    {
      ...person,
      companyId: String(company.id),
      personalEmail: given.personal_email,
      businessEmail: email,
      activeStatus,
    },
    { transaction: tx.tx },
  );
  await audit(tx, 'client:created', { client, company }, limitsOf(given));
  return await presentClient({ ...ctx, tx: tx.tx }, client, company);
}

function contactOf({ phone_number, country }: Pick<NewClient, 'phone_number' | 'country'>) {
  return { phoneNumber: phone_number || null, country: country || null };
}

/** Locks a client in the caller's scope and its company. Refuses the client of this host itself. */
async function lockClient(tx: TxCtx, id: string): Promise<{ client: Client; company: Company }> {
  const client = await findInScope(tx, Client, id);
  if (client.isDefault) throw conflict('The client of this host itself cannot be changed here.', 'provider_protected');
  return { client, company: await findInScope(tx, Company, String(client.companyId)) };
}

/** A client whose state was changed. */
interface Changed {
  client: ClientDto;
  /** The keys of the sessions that the change ended. */
  ended: string[];
}

/**
 * Changes a client. Fields that were not sent stay as they are.
 * @throws 403 for people of tenants who would change a limit, and `outranked`; 404, 409, 422
 */
export async function changeClient(ctx: SignedIn, id: string, body: Body): Promise<Changed> {
  return await inTransaction(ctx, async (tx) => {
    const { client, company } = await lockClient(tx, id);
    const inTx = { ...ctx, tx: tx.tx };
    refuseDeleted(client);
    refuseAnotherBusinessEmail(client, body.business_email);
    const { activeStatus: wasActive, personalEmail } = client;
    const isActive = body.active_status ?? wasActive;
    const limits = limitsOf(body);
    refuseNewLimits(ctx, company, limits);
    const ofCompany = { name: body.company_name ?? company.name, ...limits };
    const ofAccount = await setPasswordChange(inTx, client, body.password_change_required);
    const elsewhere = [...changesOf(company, ofCompany), ...ofAccount];
    await saveForm(tx, client, {
      changes: { ...formValues<Attributes<Client>>(fields, body), activeStatus: isActive },
      fields: { ...fields, activeStatus: 'active_status' },
      compared: [...attributes, 'activeStatus'],
      elsewhere,
      startedFrom: body.version,
      entity: 'client',
      action: 'client:updated',
      present: () => presentClient(inTx, client, company),
    });
    await changeCompanyOf(tx, company, ofCompany);
    // A link to set a password may have been mailed to the old address, and that may be a
    // stranger's
    if (client.personalEmail !== personalEmail) await dropLinksTo(tx, String(company.id), personalEmail);
    const ended = isActive === wasActive ? [] : await switchTenant(tx, company, isActive);
    return { client: await presentClient(inTx, client, company), ended };
  });
}

/** Refuses another business email. Forms may also send the present one. */
function refuseAnotherBusinessEmail({ businessEmail }: Client, given: string | undefined): void {
  if (given === undefined || normaliseAddress(given) === businessEmail) return;
  const text = 'The business email is an address of this host and cannot be changed';
  throw invalid({ business_email: text }, text);
}

/**
 * Sets whether the client's administrator has to choose a password at the next login.
 * @returns the name of the field if that is new
 * @throws 403 `outranked`, 422 when the administrator's account was deleted
 */
async function setPasswordChange(
  tx: SignedIn & TxCtx,
  { companyId, businessEmail: email }: Client,
  isRequired: boolean | undefined,
): Promise<string[]> {
  if (isRequired === undefined) return [];
  const account = await User.findOne({ where: { companyId, email, deletedAt: null }, transaction: tx.tx });
  if ((account?.passwordChangeRequired ?? false) === isRequired) return [];
  if (!account) throw invalid({ password_change_required: 'The account of the business email was deleted' });
  const id = String(account.id);
  const { user } = await findGoverned(await lockCaller(tx, id), id);
  if (isRequired) await requireNewPasswordOf(tx, user);
  else await user.update({ passwordChangeRequired: false }, { transaction: tx.tx });
  return ['password_change_required'];
}

type OfCompany = Partial<PlanLimits> & { name: string };

/** The fields of the form that belong to the company, by the attribute that each fills. */
const companyFields = { name: 'company_name', ...limitFields } as const;

/** The fields of the form that would change the company. */
function changesOf(company: Company, given: OfCompany): string[] {
  const names = Object.keys(given) as (keyof OfCompany)[];
  return names.filter((name) => given[name] !== (company[name] ?? null)).map((name) => companyFields[name]);
}

async function changeCompanyOf(tx: TxCtx, company: Company, changes: OfCompany): Promise<void> {
  await saveForm(tx, company, {
    changes,
    fields: { ...companyFields, name: 'name' },
    compared: Object.keys(companyFields) as (keyof typeof companyFields)[],
    startedFrom: undefined,
    entity: 'company',
    action: 'company:updated',
    present: () => null,
  });
}

/** @throws 404, 409 */
export async function removeClient(ctx: SignedIn, id: string): Promise<Changed> {
  return await inTransaction(ctx, async (tx) => {
    const { client, company } = await lockClient(tx, id);
    const ended = await removeTenant(tx, company);
    await audit(tx, 'client:deleted', { client, company });
    await client.reload({ transaction: tx.tx });
    return { client: await presentClient(ctx, client, company), ended };
  });
}

/** @throws 404, 409 */
export async function restoreClient(ctx: SignedIn, id: string): Promise<ClientDto> {
  return await inTransaction(ctx, async (tx) => {
    const { client, company } = await lockClient(tx, id);
    await restoreTenant(tx, company);
    await audit(tx, 'client:restored', { client, company });
    await client.reload({ transaction: tx.tx });
    return await presentClient(ctx, client, company);
  });
}

/** @throws 404, 409 */
export async function eraseClient(ctx: SignedIn, id: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const { client, company } = await lockClient(tx, id);
    await eraseTenant(tx, company);
    await audit(tx, 'client:erased', { client, company });
  });
}

/** The event names the client, since a permanent deletion removes all rows about it. */
async function audit(
  ctx: Ctx,
  action: `client:${'created' | 'deleted' | 'restored' | 'erased'}`,
  { client, company }: { client: Client; company: Company },
  details: Record<string, unknown> = {},
): Promise<void> {
  const names = { company_name: company.name, business_email: client.businessEmail };
  await recordAuditOf(ctx, client, { action, entity: 'client', details: { ...names, ...details } });
}
