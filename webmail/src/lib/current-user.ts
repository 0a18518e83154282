import { type CurrentUserDto, getCurrentUser } from '@selvage/core/contracts/auth';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from './api.ts';
import { currentUserKey } from './query-client.ts';

export const currentUserQuery = queryOptions({
  queryKey: currentUserKey,
  queryFn: async ({ signal }) => (await api(getCurrentUser, { signal })).data,
  staleTime: 60_000,
});

export function useCurrentUser(): CurrentUserDto | undefined {
  return useQuery(currentUserQuery).data;
}

export function fullNameOf(user: Pick<CurrentUserDto, 'fname' | 'lname' | 'email'>): string {
  return `${user.fname} ${user.lname}`.trim() || user.email;
}
