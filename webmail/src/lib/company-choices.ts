import { getUserChoices } from '@selvage/core/contracts/users';
import { queryOptions } from '@tanstack/react-query';
import { api } from './api.ts';

/** Roles and domains of a company. */
export const choicesQuery = (companyId: string) =>
  queryOptions({
    queryKey: ['user-choices', companyId],
    queryFn: ({ signal }) => api(getUserChoices, { query: { company_id: companyId }, signal }),
    enabled: companyId !== '',
  });
