import { searchMail } from '@selvage/core/contracts/search';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../../lib/api.ts';
import { ownTimeZone } from '../../../lib/own-time-zone.ts';
import { mailKeys } from '../keys.ts';

/** One page of what a text finds. */
export function searchQuery(q: string, { page, limit }: { page: number; limit: number }) {
  const clock = { time_zone: ownTimeZone(), utc_offset_minutes: -new Date().getTimezoneOffset() };
  const query = { q, page, limit, ...clock };
  return queryOptions({
    queryKey: mailKeys.search(query),
    queryFn: ({ signal }) => api(searchMail, { query, signal }),
    placeholderData: keepPreviousData,
    // While the index is being built, more is found each time
    refetchInterval: ({ state }) => (state.data && !state.data.is_complete ? 3000 : false),
  });
}
