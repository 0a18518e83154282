import type { Endpoint, Pagination } from '@selvage/core/contracts/endpoint';
import { keepPreviousData, type QueryKey, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { z } from 'zod';
import { apiPage } from '../lib/api.ts';
import { mayFetchAhead } from '../lib/load-module.ts';
import type { ListState } from './use-list-state.ts';

/** One page of a list. */
export interface ListPage<Row> {
  rows: Row[];
  pagination: Pagination;
}

type ListEndpoint<Row> = Endpoint<z.ZodType, z.ZodType, z.ZodType, z.ZodType<Row[]>>;
type Query = Record<string, string | number>;

/**
 * One page of a list call. Its key ends in the query itself, so that a change finds all pages of
 * the list by `key`. While it loads, the previous page of the list stays in view.
 */
export function listQuery<Row>(endpoint: ListEndpoint<Row>, key: QueryKey, query: Query) {
  return queryOptions<ListPage<Row>>({
    queryKey: [...key, query],
    queryFn: ({ signal }) =>
      apiPage(endpoint as Endpoint<z.ZodUndefined, z.ZodType, z.ZodUndefined, z.ZodType<Row[]>>, { query, signal }),
    placeholderData: keepPreviousData,
  });
}

/**
 * The page that a list's state asks for, with the next one fetched ahead. A page beyond the last
 * leads to the last. With `lookAgainMs`, a page that is shown is asked for again this often.
 */
export function useListQuery<Row>(endpoint: ListEndpoint<Row>, key: QueryKey, list: ListState, lookAgainMs?: number) {
  const client = useQueryClient();
  const result = useQuery({
    ...listQuery(endpoint, key, list.query),
    // A page that failed has Retry, which another fetch would take away for a moment
    refetchInterval: ({ state }) => (state.data && lookAgainMs) || false,
  });
  const { page } = list;
  const totalPages = result.data?.pagination.totalPages ?? 0;
  const isSettled = result.isSuccess && !result.isPlaceholderData;
  // As text: the caller makes key and query anew at each render
  const next = JSON.stringify([key, { ...list.query, page: page + 1 }]);

  useEffect(() => {
    if (!isSettled || page >= totalPages || !mayFetchAhead()) return;
    const [nextKey, nextQuery] = JSON.parse(next) as [QueryKey, Query];
    void client.prefetchQuery(listQuery(endpoint, nextKey, nextQuery));
  }, [client, endpoint, isSettled, page, totalPages, next]);

  useLastPage(list, { totalPages, isSettled });
  return { ...result, totalPages };
}

interface Pages {
  totalPages: number;
  /** `totalPages` comes from a finished load of this list. */
  isSettled: boolean;
}

/** A page beyond the last leads to the last: its only row may have just been removed. */
export function useLastPage({ page, goTo }: ListState, { totalPages, isSettled }: Pages): void {
  useEffect(() => {
    if (isSettled && totalPages > 0 && page > totalPages) goTo(totalPages, { replaces: true });
  });
}
