import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { notify } from '../components/feedback/notify.ts';

/**
 * Says in a toast what was done, and fetches anew what is shown of it: all queries whose keys begin with `key`. The promise ends when
 * the screen shows the change, so a dialog that waits for it closes over rows that are right.
 */
export function useChanged(key: QueryKey): (said: string) => Promise<void> {
  const client = useQueryClient();
  return async (said) => {
    notify.success(said);
    await client.invalidateQueries({ queryKey: key });
  };
}
