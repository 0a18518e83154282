import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { Folder } from './folders.ts';
import { listQuery, pageSizes } from './queries.ts';

const DEFAULT_SIZE = 10;

function numberFrom(text: string | null, fallback: number): number {
  const value = Number(text);
  return Number.isInteger(value) && value >= 1 ? value : fallback;
}

/** One page of a folder as the URL names it, with the next one fetched ahead. */
export function useFolderPage(folder: Folder) {
  const client = useQueryClient();
  const [search, setSearch] = useSearchParams();
  const page = numberFrom(search.get('page'), 1);
  const asked = numberFrom(search.get('limit'), DEFAULT_SIZE);
  const limit = pageSizes.find((size) => size === asked) ?? DEFAULT_SIZE;
  const query = useQuery(listQuery(folder, page, limit));
  const pagination = query.data?.pagination;
  const totalPages = pagination?.totalPages ?? 0;
  const isSettled = query.isSuccess && !query.isPlaceholderData;

  useEffect(() => {
    if (isSettled && page < totalPages) void client.prefetchQuery(listQuery(folder, page + 1, limit));
  }, [client, folder, page, limit, totalPages, isSettled]);

  const goTo = (nextPage: number, nextLimit: number = limit): void => {
    setSearch((old) => {
      const next = new URLSearchParams(old);
      next.set('page', String(nextPage));
      next.set('limit', String(nextLimit));
      return next;
    });
  };

  // the last message of the last page may have just been moved away
  useEffect(() => {
    if (!isSettled || totalPages === 0 || page <= totalPages) return;
    setSearch({ page: String(totalPages), limit: String(limit) }, { replace: true });
  }, [isSettled, totalPages, page, limit, setSearch]);

  return { ...query, page, limit, totalPages, goTo };
}
