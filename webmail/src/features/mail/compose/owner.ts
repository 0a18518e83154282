import { useSyncExternalStore } from 'react';
import { readTokens, subjectOf, subscribeToSession } from '../../../lib/session.ts';

/** The id of the logged-in person; null if nobody is logged in. */
export function currentOwner(): string | null {
  const tokens = readTokens();
  return tokens && subjectOf(tokens.token);
}

export function useOwner(): string | null {
  return useSyncExternalStore(subscribeToSession, currentOwner);
}
