import type { EmailRowDto } from '@selvage/core/contracts/email';
import { listSentDeliveries, mostSentAsked, type SentDeliveryDto } from '@selvage/core/contracts/sent-deliveries';
import { useStore } from '@nanostores/react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from '../../lib/api.ts';
import { isLive, LOOK_WHILE_LIVE_MS } from '../../lib/live.ts';
import { isUnderWay } from './delivery-words.ts';
import { mailKeys } from './keys.ts';

/** States that need no call: the row itself says that the message was delivered to all. */
const settledWell: ReadonlySet<string> = new Set(['relayed', 'stored', 'cancelled']);

const FAST_MS = 5_000;
const SLOW_MS = 30_000;
const FRESH_FOR_MS = 60_000;

/**
 * The delivery states of the page's messages that are under way or did not reach all recipients, by
 * their ids. One call covers all of them, and is repeated while one is under way. While the server
 * announces changes, the call is repeated slowly. Messages that an administrator holds back are not
 * under way: they are asked for when the person comes back to the page.
 */
export function useSentDeliveries(rows: readonly EmailRowDto[]): ReadonlyMap<string, SentDeliveryDto> {
  const asked = rows
    .filter(({ delivery_state: state }) => state !== null && !settledWell.has(state))
    .slice(0, mostSentAsked);
  const ids = asked.map(({ _id }) => _id).join(',');
  const newest = Math.max(...asked.map(({ createdAt }) => Date.parse(createdAt)));
  const isTold = useStore(isLive);
  const { data } = useQuery({
    queryKey: mailKeys.sentDeliveries(ids),
    queryFn: ({ signal }) => api(listSentDeliveries, { query: { ids }, signal }),
    enabled: ids !== '',
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => {
      if (!state.data?.some(isUnderWay)) return false;
      if (isTold) return LOOK_WHILE_LIVE_MS;
      return Date.now() - newest < FRESH_FOR_MS ? FAST_MS : SLOW_MS;
    },
  });
  return useMemo(() => new Map(ids === '' ? [] : data?.map((one) => [one._id, one])), [data, ids]);
}
