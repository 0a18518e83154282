import type { CurrentUserDto } from '@selvage/core/contracts/auth';
import { type CompanyDto, getCompany, listCompanies } from '@selvage/core/contracts/companies';
import { can, isOfProvider } from './can.ts';
import { companiesKey } from './record-keys.ts';

/** The companies in the caller's scope, to choose one from. */
export const companyRecords = {
  list: listCompanies,
  get: getCompany,
  queryKey: companiesKey,
  keyOf: ({ _id }: CompanyDto) => _id,
  nameOf: ({ name }: CompanyDto) => name,
};

/**
 * Whether the person chooses among companies, as people of the provider do that may see them. All
 * others see their own company alone.
 */
export function hasCompanyChoice(person: CurrentUserDto | undefined): boolean {
  return isOfProvider(person) && can(person, getCompany);
}
