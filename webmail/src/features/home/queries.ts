import { listClients } from '@selvage/core/contracts/clients';
import { getGrowth, getMailDay } from '@selvage/core/contracts/dashboard';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, apiPage } from '../../lib/api.ts';
import { ownTimeZone } from '../../lib/own-time-zone.ts';
import { clientsKey } from '../../lib/record-keys.ts';
import { type ChosenPeriod, rangeProblem } from './growth-period.ts';

export const thisMonth: ChosenPeriod = { filter: 'month', startDate: '', endDate: '' };

/** How many were added in a period, by the days of the reader's time zone. */
export const growthQuery = (period: ChosenPeriod, clientId = '') =>
  queryOptions({
    queryKey: ['growth', period, clientId],
    queryFn: ({ signal }) =>
      api(getGrowth, { query: { ...queryOf(period), ...(clientId ? { client_id: clientId } : {}) }, signal }),
    enabled: rangeProblem(period) === null,
    placeholderData: keepPreviousData,
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

/** Enough to see whether there is another client than the host itself. */
export const firstClientsQuery = queryOptions({
  queryKey: [...clientsKey, { of: 'home' }],
  queryFn: ({ signal }) => apiPage(listClients, { query: { limit: 2 }, signal }),
  staleTime: 60_000,
});
