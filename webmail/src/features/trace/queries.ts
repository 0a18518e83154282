import { getStory } from '@selvage/core/contracts/trace';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { recordKey, tracedKey } from '../../lib/record-keys.ts';

/** Beginning of the keys of all queries about mail that waits. */
export const queueKey = ['queue'] as const;

/** What waits or is being sent is asked for again as long as its page is in view. */
export const WHILE_WAITING_MS = 20_000;
const WHILE_SENDING_MS = 3_000;

export const storyQuery = (id: string) =>
  queryOptions({
    queryKey: recordKey(tracedKey, id),
    queryFn: ({ signal }) => api(getStory, { params: { id }, signal }),
    refetchInterval: ({ state: { data } }) => {
      if (data?.is_sending) return WHILE_SENDING_MS;
      return data?.state === 'queued' || data?.state === 'held' ? WHILE_WAITING_MS : false;
    },
  });
