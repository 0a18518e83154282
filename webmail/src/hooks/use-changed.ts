import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { notify } from '../components/feedback/notify.ts';

/**
 * Says in a toast what was done, and fetches again all queries whose keys begin with `key`. The
 * promise settles when they have come, so a dialog that awaits it closes over rows that show the
 * change.
 */
export function useChanged(key: QueryKey): (said: string) => Promise<void> {
  const client = useQueryClient();
  return async (said) => {
    notify.success(said);
    await client.invalidateQueries({ queryKey: key });
  };
}
