import { getEmail } from '@selvage/core/contracts/mail';
import { getFolderTotals } from '@selvage/core/contracts/mail-folders';
import { useStore } from '@nanostores/react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { isLive, LOOK_WHILE_LIVE_MS } from '../../lib/live.ts';
import { isMoving } from './delivery-words.ts';
import { mailKeys } from './keys.ts';

export const totalsQuery = queryOptions({
  queryKey: mailKeys.totals,
  queryFn: ({ signal }) => api(getFolderTotals, { signal }),
  refetchInterval: 60_000,
});

const POLL_FAST_MS = 3_000;
const POLL_SLOW_MS = 20_000;
const FRESH_FOR_MS = 60_000;

/** The most messages of a conversation that one call gives. */
const MOST_REPLIES = 500;

/** One message, with the first words of the others of its conversation. */
export function emailQuery(id: string) {
  return queryOptions({
    queryKey: mailKeys.detail(id),
    queryFn: ({ signal }) => api(getEmail, { params: { id }, query: { brief: 'true' }, signal }),
  });
}

/**
 * A message on the screen. While its deliveries are under way it is loaded again, often at first.
 * While the server announces changes of deliveries, it is loaded less often.
 */
export function useEmail(id: string) {
  const isTold = useStore(isLive);
  return useQuery({
    ...emailQuery(id),
    refetchInterval: ({ state }) => {
      if (!state.data?.deliveries.some(isMoving)) return false;
      if (isTold) return LOOK_WHILE_LIVE_MS;
      const age = Date.now() - Date.parse(state.data.createdAt);
      return age < FRESH_FOR_MS ? POLL_FAST_MS : POLL_SLOW_MS;
    },
  });
}

/** One message of a conversation without the others. */
export function aloneQuery(id: string) {
  return queryOptions({
    queryKey: mailKeys.alone(id),
    queryFn: ({ signal }) => api(getEmail, { params: { id }, query: { replies: 0 }, signal }),
  });
}

/** The words of a message without its markup. They never change. */
export function asTextQuery(id: string) {
  return queryOptions({
    queryKey: mailKeys.asText(id),
    queryFn: ({ signal }) => api(getEmail, { params: { id }, query: { replies: 0, as: 'text' }, signal }),
    staleTime: 'static',
  });
}

/** The newest messages of a long conversation, at most `MOST_REPLIES`, by their first words. */
export function wholeConversationQuery(id: string) {
  return queryOptions({
    queryKey: mailKeys.conversation(id),
    queryFn: ({ signal }) => api(getEmail, { params: { id }, query: { brief: 'true', replies: MOST_REPLIES }, signal }),
  });
}
