import { getUser, type UserDetailDto } from '@selvage/core/contracts/users';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { recordKey, usersKey } from '../../lib/record-keys.ts';

/** One user with their effective permissions. */
export const userQuery = (id: string) =>
  queryOptions<UserDetailDto>({
    queryKey: recordKey(usersKey, id),
    queryFn: ({ signal }) => api(getUser, { params: { id }, signal }),
  });
