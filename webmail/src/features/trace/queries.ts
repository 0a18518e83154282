import { getStory } from '@selvage/core/contracts/trace';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { recordKey, tracedKey } from '../../lib/record-keys.ts';

/** Beginning of the keys of all queries about mail that waits. */
export const queueKey = ['queue'] as const;

/** While a message waits or is being sent, it is asked for again as long as its page is in view. */
const whileWaitingMs = 20_000;
const whileSendingMs = 3_000;

export const storyQuery = (id: string) =>
  queryOptions({
    queryKey: recordKey(tracedKey, id),
    queryFn: ({ signal }) => api(getStory, { params: { id }, signal }),
    refetchInterval: ({ state: { data } }) => {
      if (data?.is_sending) return whileSendingMs;
      return data?.state === 'queued' || data?.state === 'held' ? whileWaitingMs : false;
    },
  });
