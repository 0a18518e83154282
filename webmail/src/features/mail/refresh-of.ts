import { notify } from '../../components/feedback/notify.ts';

interface Answered {
  isFetching: boolean;
  refetch: () => Promise<{ error: Error | null }>;
}

/** What the Refresh button of a list needs. */
export function refreshOf({ isFetching, refetch }: Answered): { isRefreshing: boolean; onRefresh: () => void } {
  const refresh = async (): Promise<void> => {
    const { error } = await refetch();
    // the old rows stay; without a word they would look like the newest
    if (error) notify.error(error);
  };
  return { isRefreshing: isFetching, onRefresh: () => void refresh() };
}
