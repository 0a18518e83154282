import { UniqueConstraintError } from 'sequelize';
import { createBuiltInRoles } from '../access/built-in-roles.ts';
import type { TxCtx } from '../context/context.ts';
import { builtInRole } from '../contracts/permissions.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { defaultSelector, generateDkim } from '../jobs/generate-dkim.ts';
import { domainOf } from '../mail/address-rules.ts';
import { Company } from '../models/company.ts';
import { Domain } from '../models/domain.ts';
import type { Role } from '../models/role.ts';
import { User } from '../models/user.ts';
import { domainTaken } from './domain-proof.ts';
import { type PlanLimits, requireDomainRoom } from './plan-limits.ts';

/** A company with everything that it starts with. */
export interface NewTenant {
  company: { name: string; isProvider?: boolean; activeStatus?: boolean; createdBy?: string } & Partial<PlanLimits>;
  /** The first administrator: Super Admin of the provider, Admin of all others. */
  administrator: {
    /** Normalised. Its domain becomes the company's first one. */
    email: string;
    passwordHash: string;
    fname: string;
    lname?: string;
    phoneNumber?: string | null;
    country?: string | null;
    requiredData: boolean;
    passwordChangeRequired: boolean;
  };
}

/** What `provisionTenant` made. */
export interface Tenant {
  company: Company;
  domain: Domain;
  administrator: User;
}

/**
 * Makes a company with its built-in roles, its first domain and its administrator (D6), and
 * enqueues the making of the domain's DKIM key. The domain needs no proof, since the provider
 * vouches for it.
 * @throws AppError 409 `domain_taken` when a company, even a deleted one, has the domain already
 */
export async function provisionTenant(ctx: TxCtx, { company: given, administrator }: NewTenant): Promise<Tenant> {
  const options = { transaction: ctx.tx };
  const company = await Company.create({ ...given, email: administrator.email }, options);
  const companyId = String(company.id);
  const domain = await createDomain(ctx, companyId, domainOf(administrator.email));
  const roles = await createBuiltInRoles(ctx, company);
  const role = roleIn(roles, company.isProvider ? builtInRole.superAdmin : builtInRole.admin);
  const domainId = String(domain.id);
  const user = await User.create({ ...administrator, companyId, roleId: String(role.id), domainId }, options);
  await enqueue(ctx, generateDkim, { domainId, selector: defaultSelector });
  return { company, domain, administrator: user };
}

async function createDomain(ctx: TxCtx, companyId: string, domainName: string): Promise<Domain> {
  await requireDomainRoom(ctx, companyId);
  try {
    return await Domain.create({ companyId, domainName, verifiedAt: new Date() }, { transaction: ctx.tx });
  } catch (error) {
    if (!(error instanceof UniqueConstraintError)) throw error;
    throw domainTaken(domainName);
  }
}

function roleIn(roles: ReadonlyMap<number, Role>, number: number): Role {
  const role = roles.get(number);
  if (!role) throw new Error(`the built-in roles lack number ${number}`);
  return role;
}
