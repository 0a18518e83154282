import type { Ctx } from '@selvage/core/context/context';
import type { CompanyDto } from '@selvage/core/contracts/companies';
import type { Company } from '@selvage/core/models/company';
import { User } from '@selvage/core/models/user';
import { abilitiesOf } from '../http/record-state.ts';
import type { SignedIn } from '../http/request-context.ts';
import { presentLimits } from './form-limits.ts';

type Creator = CompanyDto['createdBy'];

/** Companies as the console shows them. One query reads the people who added them. */
export async function presentCompanies(
  ctx: SignedIn,
  companies: readonly Company[],
  read: Ctx = ctx,
): Promise<CompanyDto[]> {
  const ids = [...new Set(companies.flatMap(({ createdBy }) => (createdBy ? [String(createdBy)] : [])))];
  const attributes = ['id', 'fname', 'lname', 'email'];
  const people = ids.length === 0 ? [] : await User.findAll({ where: { id: ids }, attributes, transaction: read.tx });
  const creators = new Map<string, Creator>(
    people.map(({ id, fname, lname, email }) => [String(id), { fname, lname, email }]),
  );
  return companies.map((company) => present(ctx, company, creators.get(String(company.createdBy)) ?? null));
}

/** One company as the console shows it. */
export async function presentCompany(ctx: SignedIn, company: Company, read: Ctx = ctx): Promise<CompanyDto> {
  const [presented] = await presentCompanies(ctx, [company], read);
  if (presented === undefined) throw new Error('a company was not presented');
  return presented;
}

function present(ctx: SignedIn, company: Company, createdBy: Creator): CompanyDto {
  return {
    _id: String(company.id),
    name: company.name,
    email: company.email,
    industry: company.industry ?? null,
    phone: company.phone ?? null,
    address: company.address ?? null,
    city: company.city ?? null,
    state: company.state ?? null,
    country: company.country ?? null,
    pin_code: company.pinCode ?? null,
    is_provider: Boolean(company.isProvider),
    createdBy,
    ...presentLimits(company),
    active_status: Boolean(company.activeStatus),
    deletedAt: company.deletedAt?.toISOString() ?? null,
    createdAt: company.createdAt.toISOString(),
    updatedAt: company.updatedAt.toISOString(),
    version: company.version ?? 1,
    abilities: abilitiesTo(ctx, company),
  };
}

/**
 * What the caller may do with a company. The host's own company and the caller's can't be switched
 * off or deleted.
 */
function abilitiesTo(ctx: SignedIn, company: Company): CompanyDto['abilities'] {
  const can = abilitiesOf(ctx, 'company', { deletedAt: company.deletedAt ?? null });
  const isProtected = company.isProvider || String(company.id) === ctx.actor.companyId;
  return isProtected ? { ...can, switch: false, delete: false, erase: false } : { ...can, switch: can.edit };
}
