import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { totalsQuery } from './queries.ts';

/** Counts that are younger than the rows by this much may tell of a change that the rows lack. */
const YOUNGER_BY_MS = 5_000;

interface Answered {
  dataUpdatedAt: number;
  isFetching: boolean;
  refetch: () => Promise<unknown>;
}

/**
 * Loads a list again when the counts of the folders have changed and its rows are older. The counts
 * are asked for every minute. The rows are loaded after a notice of a change, which may be lost.
 */
export function useFollowCounts({ dataUpdatedAt, isFetching, refetch }: Answered): void {
  const { data: totals, dataUpdatedAt: countedAt } = useQuery(totalsQuery);
  const counts = totals && JSON.stringify({ ...totals, storage: null });
  const last = useRef(counts);
  const follow = useEffectEvent((): void => {
    const isChanged = last.current !== undefined && counts !== last.current;
    last.current = counts;
    if (isChanged && !isFetching && countedAt - dataUpdatedAt > YOUNGER_BY_MS) void refetch();
  });
  useEffect(() => follow(), [counts]);
}
