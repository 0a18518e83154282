import { getStory } from '@selvage/core/contracts/trace';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { recordKey, tracedKey } from '../../lib/record-keys.ts';

/** Beginning of the keys of all queries about mail that waits. */
export const queueKey = ['queue'] as const;

export const storyQuery = (id: string) =>
  queryOptions({
    queryKey: recordKey(tracedKey, id),
    queryFn: ({ signal }) => api(getStory, { params: { id }, signal }),
  });
