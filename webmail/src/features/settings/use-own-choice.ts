import type { CurrentUserDto } from '@selvage/core/contracts/auth';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { notify } from '../../components/feedback/notify.ts';
import { currentUserQuery } from '../../lib/current-user.ts';
import { accountKeys } from './queries.ts';

interface OwnChoice<C> {
  /** Asks the server to keep the choice. */
  call: (choice: C) => Promise<unknown>;
  /** The fields of the person that the choice changes. */
  fieldsOf: (choice: C) => Partial<CurrentUserDto>;
  /** Said when the server has kept it. */
  saidOf: (choice: C) => string;
}

const mutationKey = ['own-choice'];

/**
 * A setting of the person that is saved as it is chosen. It shows at once; choices reach the server
 * in the order in which they were made, so that the last one stays.
 */
export function useOwnChoice<C>({ call, fieldsOf, saidOf }: OwnChoice<C>) {
  const client = useQueryClient();
  const { queryKey } = currentUserQuery;
  return useMutation({
    mutationKey,
    scope: { id: 'own-choice' },
    mutationFn: call,
    onMutate: async (choice) => {
      await client.cancelQueries({ queryKey });
      const before = client.getQueryData(queryKey);
      client.setQueryData(queryKey, (user) => user && { ...user, ...fieldsOf(choice) });
      return before;
    },
    onSuccess: (_answer, choice) => notify.success(saidOf(choice)),
    onError: (error, choice, before) => {
      client.setQueryData(queryKey, (user) => user && before && withoutFields(user, fieldsOf(choice), before));
      notify.error(error);
    },
    onSettled: async () => {
      // While another choice waits, the server's answer would take that choice back on the screen
      if (client.isMutating({ mutationKey }) > 1) return;
      await Promise.all([queryKey, accountKeys.activity].map((stale) => client.invalidateQueries({ queryKey: stale })));
    },
  });
}

/** The person with the fields as they were before, but for those that were chosen anew since. */
function withoutFields(user: CurrentUserDto, failed: Partial<CurrentUserDto>, before: CurrentUserDto): CurrentUserDto {
  const names = (Object.keys(failed) as (keyof CurrentUserDto)[]).filter((name) => user[name] === failed[name]);
  return { ...user, ...Object.fromEntries(names.map((name) => [name, before[name]])) };
}
