import { domainOf } from '@selvage/core/mail/address-rules';
import type { CurrentUserDto } from '@selvage/core/contracts/auth';
import {
  type CompanyDetailDto,
  type CompanyDto,
  companySetUpForm,
  getCompany,
  updateCompany,
} from '@selvage/core/contracts/companies';
import { createDomain, type DomainDto, listDomains, updateDomain } from '@selvage/core/contracts/domains';
import { createUser, getUserChoices, type UserChoices } from '@selvage/core/contracts/users';
import { useQuery } from '@tanstack/react-query';
import { type ListPage, listQuery } from '../../hooks/use-list-query.ts';
import { can } from '../../lib/can.ts';
import { choicesQuery } from '../../lib/company-choices.ts';
import { domainsKey } from '../../lib/record-keys.ts';
import { companyQuery } from '../companies/queries.ts';
import type { StepsDone } from './step-of.ts';

/** What the server knows of the setup. A part that is null is not the person's to change. */
export interface Progress {
  user: CurrentUserDto;
  company: CompanyDetailDto | null;
  domains: DomainDto[] | null;
  /** The domain that is set up: that of the person's address, else the company's first. */
  domain: DomainDto | null;
  choices: UserChoices | null;
  /** People of the company besides this one. */
  others: number;
  done: StepsDone;
}

/** What the form of the company holds. */
export const companyValues = (company: CompanyDto) => ({
  industry: company.industry ?? '',
  phone: company.phone ?? '',
  address: company.address ?? '',
  pin_code: company.pin_code ?? '',
  city: company.city ?? '',
  state: company.state ?? '',
  country: company.country ?? '',
});

/** More domains than a new company has. */
const MOST_DOMAINS = 100;

export const domainsQuery = (companyId: string) =>
  listQuery<DomainDto>(listDomains, [...domainsKey, 'list', 'setup'], { company_id: companyId, limit: MOST_DOMAINS });

function findDomain(user: CurrentUserDto, domains: DomainDto[] | null): DomainDto | null {
  const own = domainOf(user.email);
  return domains?.find(({ domain_name: name }) => name === own) ?? domains?.[0] ?? null;
}

/** What is left of a setup, from what the calls have answered. */
function progressOf(
  user: CurrentUserDto,
  company: CompanyDetailDto | null,
  domains: DomainDto[] | null,
  choices: UserChoices | null,
): Progress {
  const domain = findDomain(user, domains);
  const others = Math.max((choices?.seats.used ?? 1) - 1, 0);
  const done = {
    1: company === null || companySetUpForm.safeParse(companyValues(company)).success,
    2: domains === null || (domain !== null && domain.expiration_date !== null),
    3: choices === null || others > 0,
  };
  return { user, company, domains, domain, choices, others, done };
}

interface Result {
  progress: Progress | null;
  error: Error | null;
  retry: () => void;
}

/** Asks for all that the steps show, as far as the person may change it. */
export function useProgress(user: CurrentUserDto): Result {
  const id = user.company_id._id;
  const may = {
    company: can(user, getCompany) && can(user, updateCompany),
    domain: can(user, listDomains) && can(user, updateDomain) && can(user, createDomain),
    people: can(user, getUserChoices) && can(user, createUser),
  };
  const company = useQuery({ ...companyQuery(id), enabled: may.company });
  const domains = useQuery({ ...domainsQuery(id), enabled: may.domain });
  const choices = useQuery({ ...choicesQuery(id), enabled: may.people });
  const asked = [may.company && company, may.domain && domains, may.people && choices].filter(
    (query) => query !== false,
  );
  const retry = (): void => {
    for (const query of asked) if (query.error) void query.refetch();
  };
  const isKnown = asked.every(({ data }) => data !== undefined);
  if (!isKnown) return { progress: null, error: asked.find(({ error }) => error)?.error ?? null, retry };
  const rows = (page: ListPage<DomainDto> | undefined): DomainDto[] => page?.rows ?? [];
  const progress = progressOf(
    user,
    may.company ? (company.data ?? null) : null,
    may.domain ? rows(domains.data) : null,
    may.people ? (choices.data ?? null) : null,
  );
  return { progress, error: null, retry };
}
