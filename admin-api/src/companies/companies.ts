import { recordAudit } from '@selvage/core/access/audit';
import { createBuiltInRoles } from '@selvage/core/access/built-in-roles';
import { requireHost } from '@selvage/core/access/effective-permissions';
import { saveForm } from '@selvage/core/access/save-form';
import { findInScope, inScope, readInScope } from '@selvage/core/access/scope';
import { inTransaction, type TxCtx } from '@selvage/core/context/context';
import type {
  CompanyDetailDto,
  CompanyDto,
  createCompany,
  listCompanies,
  updateCompany,
} from '@selvage/core/contracts/companies';
import type { InferBody, InferQuery } from '@selvage/core/contracts/endpoint';
import { readPlanUse } from '@selvage/core/directory/plan-limits';
import { Company } from '@selvage/core/models/company';
import type { Attributes } from 'sequelize';
import { findPage } from '../http/find-page.ts';
import { formValues } from '../http/form-values.ts';
import type { Page } from '../http/paging.ts';
import { refuseDeleted, whereState } from '../http/record-state.ts';
import type { SignedIn } from '../http/request-context.ts';
import { limitFields, limitsOf, refuseNewLimits } from './form-limits.ts';
import { presentCompanies, presentCompany } from './present-company.ts';
import { removeTenant, eraseTenant, restoreTenant, switchTenant } from './tenant-life.ts';

type Body = InferBody<typeof updateCompany>;

/** The form's fields, by the attribute that each fills. */
const fields = {
  name: 'name',
  email: 'email',
  industry: 'industry',
  phone: 'phone',
  address: 'address',
  city: 'city',
  state: 'state',
  country: 'country',
  pinCode: 'pin_code',
} as const;

const attributes = Object.keys(fields) as (keyof typeof fields)[];
const limitAttributes = Object.keys(limitFields) as (keyof typeof limitFields)[];

/** One page of the companies in the caller's scope. */
export async function findCompanies(
  ctx: SignedIn,
  query: InferQuery<typeof listCompanies>,
): Promise<Page<CompanyDto[]>> {
  const { rows, total } = await findPage(ctx, Company, {
    query,
    sortColumns: { name: 'name', email: 'email', industry: 'industry', createdAt: 'createdAt' },
    searchColumns: ['name', 'email', 'industry', 'city'],
    where: whereState(Company, query),
  });
  return { rows: await presentCompanies(ctx, rows), total };
}

/** Id, name and email of all companies in the caller's scope that are not deleted, by name. */
export async function allCompanies(ctx: SignedIn): Promise<Pick<CompanyDto, '_id' | 'name' | 'email'>[]> {
  const found = await Company.findAll({
    attributes: ['id', 'name', 'email'],
    where: { ...(inScope(ctx, Company) as object), deletedAt: null, erasedAt: null },
    order: [
      ['name', 'ASC'],
      ['id', 'ASC'],
    ],
    raw: true,
  });
  return found.map(({ id, name, email }) => ({ _id: String(id), name, email }));
}

/** @throws 404 */
export async function readCompany(ctx: SignedIn, id: string): Promise<CompanyDetailDto> {
  const company = await readInScope(ctx, Company, id);
  return { ...(await presentCompany(ctx, company)), plan: await readPlanUse(ctx, company) };
}

/**
 * Adds a company with its built-in roles (D3).
 * @throws 403 for people of tenants
 */
export async function addCompany(ctx: SignedIn, body: InferBody<typeof createCompany>): Promise<CompanyDto> {
  requireHost(ctx);
  return await inTransaction(ctx, async (tx) => {
    const { name, email } = body;
    const values = { ...formValues<Attributes<Company>>(fields, body), name, email, createdBy: ctx.actor.userId };
    const company = await Company.create(
      { ...values, ...limitsOf(body), activeStatus: body.active_status ?? true },
      { transaction: tx.tx },
    );
    await createBuiltInRoles(tx, company);
    await audit(tx, 'company:created', company, { name });
    return await presentCompany(ctx, company, tx);
  });
}

/**
 * Changes a company. Fields that were not sent stay as they are.
 * @returns the company, and the keys of the sessions that ended because it was switched off
 * @throws 403 for people of tenants who would change a limit, 404, 409
 */
export async function changeCompany(
  ctx: SignedIn,
  id: string,
  body: Body,
): Promise<{ company: CompanyDto; ended: string[] }> {
  return await inTransaction(ctx, async (tx) => {
    const company = await findInScope(tx, Company, id);
    refuseDeleted(company);
    const limits = limitsOf(body);
    refuseNewLimits(ctx, company, limits);
    const wasActive = company.activeStatus;
    const isActive = body.active_status ?? wasActive;
    await saveForm(tx, company, {
      changes: { ...formValues<Attributes<Company>>(fields, body), ...limits, activeStatus: isActive },
      fields: { ...fields, ...limitFields, activeStatus: 'active_status' },
      compared: [...attributes, ...limitAttributes, 'activeStatus'],
      startedFrom: body.version,
      entity: 'company',
      action: 'company:updated',
      present: () => presentCompany(ctx, company, tx),
    });
    const ended = isActive === wasActive ? [] : await switchTenant(tx, company, isActive);
    return { company: await presentCompany(ctx, company, tx), ended };
  });
}

/** @throws 404, 409 */
export async function removeCompany(ctx: SignedIn, id: string): Promise<{ company: CompanyDto; ended: string[] }> {
  return await inTransaction(ctx, async (tx) => {
    const company = await findInScope(tx, Company, id);
    const ended = await removeTenant(tx, company);
    await audit(tx, 'company:deleted', company, { name: company.name });
    return { company: await presentCompany(ctx, company, tx), ended };
  });
}

/** @throws 404, 409 */
export async function restoreCompany(ctx: SignedIn, id: string): Promise<CompanyDto> {
  return await inTransaction(ctx, async (tx) => {
    const company = await findInScope(tx, Company, id);
    await restoreTenant(tx, company);
    await audit(tx, 'company:restored', company, { name: company.name });
    return await presentCompany(ctx, company, tx);
  });
}

/** @throws 404, 409 */
export async function eraseCompany(ctx: SignedIn, id: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const company = await findInScope(tx, Company, id);
    await eraseTenant(tx, company);
    await audit(tx, 'company:erased', company, { name: company.name });
  });
}

async function audit(
  tx: TxCtx,
  action: `company:${'created' | 'deleted' | 'restored' | 'erased'}`,
  company: Company,
  details: Record<string, unknown>,
): Promise<void> {
  const companyId = String(company.id);
  await recordAudit(tx, { action, entity: 'company', entityId: companyId, companyId, details });
}
