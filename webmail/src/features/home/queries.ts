import { listCompanies } from '@selvage/core/contracts/companies';
import { getGrowth, getMailDay } from '@selvage/core/contracts/dashboard';
import { queryOptions } from '@tanstack/react-query';
import { api, apiPage } from '../../lib/api.ts';
import { growthKey } from '../../hooks/use-changed.ts';
import { ownTimeZone } from '../../lib/own-time-zone.ts';
import { companiesKey } from '../../lib/record-keys.ts';
import { type ChosenPeriod, rangeProblem } from './growth-period.ts';

export const thisMonth: ChosenPeriod = { filter: 'month', startDate: '', endDate: '' };

/** How many were added in a period, by the days of the reader's time zone. */
export const growthQuery = (period: ChosenPeriod, clientId = '') =>
  queryOptions({
    queryKey: [...growthKey, period, clientId],
    queryFn: ({ signal }) =>
      api(getGrowth, { query: { ...queryOf(period), ...(clientId ? { client_id: clientId } : {}) }, signal }),
    enabled: rangeProblem(period) === null,
    // The numbers of another client would stand under this one's name
    placeholderData: (before, query) => (query?.queryKey.at(-1) === clientId ? before : undefined),
    staleTime: 60_000,
  });

function queryOf({ filter, startDate, endDate }: ChosenPeriod) {
  return { filter, time_zone: ownTimeZone(), ...(filter === 'range' ? { startDate, endDate } : {}) };
}

/** The mail of the last 24 hours, asked for again while the page is in view. */
export const mailDayQuery = queryOptions({
  queryKey: ['mail-day'],
  queryFn: ({ signal }) => api(getMailDay, { signal }),
  refetchInterval: 60_000,
});

/** A few companies, to see whether there is another than the host itself. */
export const firstCompaniesQuery = queryOptions({
  queryKey: [...companiesKey, { of: 'home' }],
  queryFn: ({ signal }) => apiPage(listCompanies, { query: { limit: 5 }, signal }),
  staleTime: 60_000,
});
