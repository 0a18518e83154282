import { getRestart, listEnvironment } from '@selvage/core/contracts/environment';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../../lib/api.ts';

const PROGRESS_MS = 1_000;

/** All that belongs to the list and to the restart begins with this. */
export const environmentKey = ['environment'] as const;

export const environmentQuery = queryOptions({
  queryKey: [...environmentKey, 'list'],
  queryFn: ({ signal }) => api(listEnvironment, { signal }),
});

/** How far a restart has come. It is polled while a restart runs, even while the API is away. */
export const restartQuery = queryOptions({
  queryKey: [...environmentKey, 'restart'],
  queryFn: ({ signal }) => api(getRestart, { signal }),
  retry: false,
  refetchInterval: ({ state }) => (state.data?.state === 'running' ? PROGRESS_MS : false),
});
