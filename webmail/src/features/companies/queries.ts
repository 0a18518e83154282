import { type CompanyDto, getCompany } from '@selvage/core/contracts/companies';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { companiesKey } from '../../lib/companies.ts';

/** One company, by the key that the picker has it under as well. */
export const companyQuery = (id: string) =>
  queryOptions<CompanyDto>({
    queryKey: [...companiesKey, 'record', id],
    queryFn: ({ signal }) => api(getCompany, { params: { id }, signal }),
  });
