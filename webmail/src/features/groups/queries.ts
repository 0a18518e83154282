import { getGroup } from '@selvage/core/contracts/groups';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

/** Beginning of the keys of all queries about groups. */
export const groupsKey = ['groups'] as const;

/** One group with its people, as they are when it is opened. */
export const groupQuery = (id: string) =>
  queryOptions({
    queryKey: [...groupsKey, 'record', id],
    queryFn: ({ signal }) => api(getGroup, { params: { id }, signal }),
    staleTime: 0,
    gcTime: 0,
  });
