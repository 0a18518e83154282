import { notify } from '../../components/feedback/notify.ts';

interface Answered {
  isFetching: boolean;
  refetch: () => Promise<{ error: Error | null }>;
}

/** What the Refresh button of a list needs. */
export function refreshOf({ isFetching, refetch }: Answered): { isRefreshing: boolean; onRefresh: () => void } {
  const refresh = async (): Promise<void> => {
    const { error } = await refetch();
    // The old rows stay. Without a notice they would look like the newest
    if (error) notify.error(error);
  };
  return { isRefreshing: isFetching, onRefresh: () => void refresh() };
}
