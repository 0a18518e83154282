import { type DeliveryDto, type EmailDto, getEmail, getFolderTotals, listEmails } from '@selvage/core/contracts/mail';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, apiPage } from '../../lib/api.ts';
import { type Folder, folderInfo } from './folders.ts';

export const mailKeys = {
  lists: ['mail', 'list'] as const,
  list: (folder: Folder, page: number, limit: number) => ['mail', 'list', folder, page, limit] as const,
  detail: (id: string) => ['mail', 'detail', id] as const,
  totals: ['mail', 'totals'] as const,
};

export const pageSizes = [5, 10, 25, 50] as const;

export function listQuery(folder: Folder, page: number, limit: number) {
  return queryOptions({
    queryKey: mailKeys.list(folder, page, limit),
    queryFn: ({ signal }) =>
      apiPage(listEmails, { query: { page, limit, [folderInfo[folder].filter]: 'true' }, signal }),
    // another page of the same folder may stand there while it loads, another folder may not
    placeholderData: (previous, query) => (query?.queryKey[2] === folder ? keepPreviousData(previous) : undefined),
  });
}

export const totalsQuery = queryOptions({
  queryKey: mailKeys.totals,
  queryFn: ({ signal }) => api(getFolderTotals, { signal }),
  refetchInterval: 60_000,
});

const finalStates: ReadonlySet<DeliveryDto['state']> = new Set(['stored', 'relayed', 'bounced', 'cancelled']);

export function isSettled(email: Pick<EmailDto, 'deliveries'>): boolean {
  return email.deliveries.every((delivery) => finalStates.has(delivery.state));
}

const POLL_FAST_MS = 3_000;
const POLL_SLOW_MS = 20_000;
const FRESH_FOR_MS = 60_000;

export function emailQuery(id: string) {
  return queryOptions({
    queryKey: mailKeys.detail(id),
    queryFn: ({ signal }) => api(getEmail, { params: { id }, signal }),
    refetchInterval: ({ state }) => {
      if (!state.data || isSettled(state.data)) return false;
      const age = Date.now() - Date.parse(state.data.createdAt);
      return age < FRESH_FOR_MS ? POLL_FAST_MS : POLL_SLOW_MS;
    },
  });
}
