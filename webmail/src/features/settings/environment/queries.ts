import { getRestart, listEnvironment } from '@selvage/core/contracts/environment';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../../lib/api.ts';

const progressMs = 1_000;

/** All that belongs to the list and to the restart begins with this. */
export const environmentKey = ['environment'] as const;

export const environmentQuery = queryOptions({
  queryKey: [...environmentKey, 'list'],
  queryFn: ({ signal }) => api(listEnvironment, { signal }),
});

/** How far a restart is. It is asked on while one runs, also when the API is away meanwhile. */
export const restartQuery = queryOptions({
  queryKey: [...environmentKey, 'restart'],
  queryFn: ({ signal }) => api(getRestart, { signal }),
  retry: false,
  refetchInterval: ({ state }) => (state.data?.state === 'running' ? progressMs : false),
});
