import { useEffect, useSyncExternalStore } from 'react';
import { queryClient } from '../lib/query-client.ts';
import { readTokens, subjectOf, subscribeToSession, type Tokens } from '../lib/session.ts';

export function useTokens(): Tokens | null {
  return useSyncExternalStore(subscribeToSession, readTokens);
}

/** Nothing that one person loaded may be shown to the next one, in whichever tab they signed in or out. */
export function useForgetOnChange(): void {
  const tokens = useTokens();
  const subject = tokens ? subjectOf(tokens.token) : null;
  useEffect(() => () => queryClient.clear(), [subject]);
}
