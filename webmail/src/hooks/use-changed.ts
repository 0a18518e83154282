import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { notify } from '../components/feedback/notify.ts';
import { choicesKey, matricesKey } from '../lib/record-keys.ts';

/** Beginning of the keys of numbers that count records of all kinds, on the home page. */
export const growthKey = ['growth'] as const;

/**
 * Says in a toast what was done, and fetches again all queries whose keys begin with `key`. So are
 * those that are made of records of several kinds: the choices of forms, and permissions. The
 * promise settles when they have come, so a dialog that awaits it closes over rows that show the
 * change.
 */
export function useChanged(key: QueryKey): (said: string) => Promise<void> {
  const client = useQueryClient();
  return async (said) => {
    notify.success(said);
    void client.invalidateQueries({ queryKey: growthKey });
    const stale = [key, choicesKey, matricesKey];
    await Promise.all(stale.map((queryKey) => client.invalidateQueries({ queryKey })));
  };
}
