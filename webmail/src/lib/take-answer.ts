import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Shows the answer of a change. A load that was under way before the change is cancelled, so that
 * its older answer does not replace it.
 */
export async function takeAnswer<T>(client: QueryClient, queryKey: QueryKey, answer: T): Promise<void> {
  await client.cancelQueries({ queryKey, exact: true });
  client.setQueryData(queryKey, answer);
}
