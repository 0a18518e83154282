import { changeManyUsers, type ManyUsersDto } from '@selvage/core/contracts/many-users';
import { useChanged } from '../../hooks/use-changed.ts';
import { api } from '../../lib/api.ts';
import { useWords } from '../../lib/i18n.ts';
import { usersKey } from '../../lib/record-keys.ts';
import { manyUserWords } from '../../words/many-users.ts';

/** What is done to all of them: exactly one of the two. */
export type ManyChange = { active_status: boolean } | { role_id: string };

/** Changes many users, and says how many were changed. */
export function useChangeMany(): (ids: string[], change: ManyChange) => Promise<ManyUsersDto> {
  const t = useWords(manyUserWords);
  const tellChanged = useChanged(usersKey);
  return async (ids, change) => {
    const result = await api(changeManyUsers, { body: { ids, ...change } });
    if (result.changed.length > 0) await tellChanged(t.changed(result.changed.length));
    return result;
  };
}
