import { listLabels } from '@selvage/core/contracts/labels';
import { listBlocked, listFilters } from '@selvage/core/contracts/mail-rules';
import { listOwnFolders } from '@selvage/core/contracts/own-folders';
import { getVacation } from '@selvage/core/contracts/vacation';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

export const blockedQuery = queryOptions({
  queryKey: ['account', 'blocked-senders'],
  queryFn: ({ signal }) => api(listBlocked, { signal }),
});

export const vacationQuery = queryOptions({
  queryKey: ['account', 'vacation'],
  queryFn: ({ signal }) => api(getVacation, { signal }),
});

export const filtersQuery = queryOptions({
  queryKey: ['account', 'filters'],
  queryFn: ({ signal }) => api(listFilters, { signal }),
});

/** Its key begins with `mail`, so that changes made in other windows refresh it. */
export const labelsQuery = queryOptions({
  queryKey: ['mail', 'labels'],
  queryFn: ({ signal }) => api(listLabels, { signal }),
});

/** Its key begins with `mail` for the same reason. */
export const ownFoldersQuery = queryOptions({
  queryKey: ['mail', 'own-folders'],
  queryFn: ({ signal }) => api(listOwnFolders, { signal }),
});
