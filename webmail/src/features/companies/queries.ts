import { type CompanyDetailDto, getCompany } from '@selvage/core/contracts/companies';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { companiesKey, recordKey } from '../../lib/record-keys.ts';

/** One company, by the key that the picker has it under as well. */
export const companyQuery = (id: string) =>
  queryOptions<CompanyDetailDto>({
    queryKey: recordKey(companiesKey, id),
    queryFn: ({ signal }) => api(getCompany, { params: { id }, signal }),
  });

/** The archives of a company. */
export const archivesKey = (companyId: string) => [...recordKey(companiesKey, companyId), 'archives'] as const;
