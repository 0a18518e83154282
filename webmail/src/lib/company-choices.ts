import { getUserChoices } from '@selvage/core/contracts/users';
import { queryOptions } from '@tanstack/react-query';
import { api } from './api.ts';
import { choicesKey } from './record-keys.ts';

/** How often the page asks whether a domain has been verified meanwhile. */
const ASK_EVERY_MS = 15_000;

/** Roles of a company, domains that people can have addresses in, and how many seats are left. */
export const choicesQuery = (companyId: string) =>
  queryOptions({
    queryKey: [...choicesKey, companyId],
    queryFn: ({ signal }) => api(getUserChoices, { query: { company_id: companyId }, signal }),
    enabled: companyId !== '',
    refetchInterval: ({ state: { data } }) => (data?.domains.length === 0 ? ASK_EVERY_MS : false),
  });
