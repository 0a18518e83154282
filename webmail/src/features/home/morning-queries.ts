import { listDomainHealth } from '@selvage/core/contracts/domain-guard';
import { getLedgerProof } from '@selvage/core/contracts/ledger-proof';
import { getHostHealth, getRefusedSignIns, getStorageUse, mostNamed } from '@selvage/core/contracts/morning';
import { queryOptions } from '@tanstack/react-query';
import { api, apiPage } from '../../lib/api.ts';
import { domainsKey } from '../../lib/record-keys.ts';

/** The home page is left open: what it says is asked for again while it is in view. */
const again = { refetchInterval: 5 * 60_000, staleTime: 60_000 } as const;

export const ledgerQuery = queryOptions({
  queryKey: ['morning', { of: 'ledger' }],
  queryFn: ({ signal }) => api(getLedgerProof, { signal }),
  ...again,
});

export const storageQuery = queryOptions({
  queryKey: ['morning', { of: 'storage' }],
  queryFn: ({ signal }) => api(getStorageUse, { signal }),
  ...again,
});

export const signInsQuery = queryOptions({
  queryKey: ['morning', { of: 'sign-ins' }],
  queryFn: ({ signal }) => api(getRefusedSignIns, { signal }),
  ...again,
});

export const hostQuery = queryOptions({
  queryKey: ['morning', { of: 'host' }],
  queryFn: ({ signal }) => api(getHostHealth, { signal }),
  ...again,
  refetchInterval: 60_000,
});

/** The first domains of the two levels that are a problem, with how many there are of each. */
export const domainsQuery = queryOptions({
  queryKey: [...domainsKey, { of: 'morning' }],
  queryFn: async ({ signal }) => {
    const ask = (health: 'error' | 'warning') =>
      apiPage(listDomainHealth, { query: { health, limit: mostNamed }, signal });
    const [broken, weak] = await Promise.all([ask('error'), ask('warning')]);
    return {
      broken: broken.pagination.totalData,
      weak: weak.pagination.totalData,
      worst: [...broken.rows, ...weak.rows].slice(0, mostNamed),
    };
  },
  ...again,
});
