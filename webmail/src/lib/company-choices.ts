import { getUserChoices } from '@selvage/core/contracts/users';
import { queryOptions } from '@tanstack/react-query';
import { api } from './api.ts';

/** How often the page asks whether a domain has been verified meanwhile. */
const ASK_EVERY_MS = 15_000;

/** All that belongs to the choices begins with this. */
export const choicesKey = ['user-choices'] as const;

/** Roles of a company, and the domains that people can have addresses in. */
export const choicesQuery = (companyId: string) =>
  queryOptions({
    queryKey: [...choicesKey, companyId],
    queryFn: ({ signal }) => api(getUserChoices, { query: { company_id: companyId }, signal }),
    enabled: companyId !== '',
    refetchInterval: ({ state: { data } }) => (data?.domains.length === 0 ? ASK_EVERY_MS : false),
  });
