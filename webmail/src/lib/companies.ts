import { type CompanyDto, getCompany, listCompanies } from '@selvage/core/contracts/companies';
import { companiesKey } from './record-keys.ts';

/** The companies in the caller's scope, to choose one from. */
export const companyRecords = {
  list: listCompanies,
  get: getCompany,
  queryKey: companiesKey,
  keyOf: ({ _id }: CompanyDto) => _id,
  nameOf: ({ name }: CompanyDto) => name,
};
