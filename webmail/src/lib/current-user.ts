import { type CurrentUserDto, getCurrentUser } from '@selvage/core/contracts/auth';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { api } from './api.ts';
import { currentUserKey } from './query-client.ts';
import { currentSubject, subscribeToSession } from './session.ts';

export const currentUserQuery = queryOptions({
  queryKey: currentUserKey,
  queryFn: async ({ signal }) => (await api(getCurrentUser, { signal })).data,
  staleTime: 60_000,
});

/** The id of the logged-in person, from the token alone; null when no person is logged in. */
export function useSubject(): string | null {
  return useSyncExternalStore(subscribeToSession, currentSubject);
}

/** The logged-in person, once they are loaded. */
export function useCurrentUser(): CurrentUserDto | undefined {
  const isSignedIn = useSubject() !== null;
  const { data } = useQuery({ ...currentUserQuery, enabled: isSignedIn });
  return isSignedIn ? data : undefined;
}
