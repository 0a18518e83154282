import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Shows what a change has come to. An answer that was on its way before it must not come after it.
 */
export async function takeAnswer<T>(client: QueryClient, queryKey: QueryKey, answer: T): Promise<void> {
  await client.cancelQueries({ queryKey, exact: true });
  client.setQueryData(queryKey, answer);
}
