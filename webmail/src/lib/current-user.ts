import { type CurrentUserDto, getCurrentUser } from '@selvage/core/contracts/auth';
import type { ModelName, PermissionAction } from '@selvage/core/contracts/permissions';
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

export function isAllowed(user: CurrentUserDto | undefined, model: ModelName, action: PermissionAction): boolean {
  return user?.permissions.some((entry) => entry.model === model && entry[action]) ?? false;
}

export function fullNameOf(user: Pick<CurrentUserDto, 'fname' | 'lname' | 'email'>): string {
  return `${user.fname} ${user.lname}`.trim() || user.email;
}
