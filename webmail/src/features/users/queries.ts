import { getUser, getUserChoices, restoreUser, type UserDetailDto, type UserDto } from '@selvage/core/contracts/users';
import { queryOptions } from '@tanstack/react-query';
import { notify } from '../../components/feedback/notify.ts';
import { useChanged } from '../../hooks/use-changed.ts';
import { api } from '../../lib/api.ts';
import { useWords } from '../../lib/i18n.ts';
import { recordKey, usersKey } from '../../lib/record-keys.ts';
import { userWords } from '../../words/users.ts';

/** One user with their effective permissions. */
export const userQuery = (id: string) =>
  queryOptions<UserDetailDto>({
    queryKey: recordKey(usersKey, id),
    queryFn: ({ signal }) => api(getUser, { params: { id }, signal }),
  });

/** Roles and domains of a company. */
export const choicesQuery = (companyId: string) =>
  queryOptions({
    queryKey: ['user-choices', companyId],
    queryFn: ({ signal }) => api(getUserChoices, { query: { company_id: companyId }, signal }),
    enabled: companyId !== '',
  });

/** Restores a user at once: they can be deleted again. */
export function useRestoreUser(): (user: Pick<UserDto, '_id'>) => void {
  const t = useWords(userWords);
  const tellChanged = useChanged(usersKey);
  return ({ _id }) => {
    api(restoreUser, { params: { id: _id } })
      .then(() => tellChanged(t.restored))
      .catch((error: unknown) => notify.error(error));
  };
}
