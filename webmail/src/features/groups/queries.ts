import { nameOrAddress } from '@selvage/core/contracts/full-name';
import { getGroup, type GroupDto, listGroups } from '@selvage/core/contracts/groups';
import { getUser, listUsers, type UserDto } from '@selvage/core/contracts/users';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { domainsKey, usersKey } from '../../lib/record-keys.ts';
import { shownAddress } from '../../lib/shown-address.ts';

/** Beginning of the keys of all queries about groups. */
export const groupsKey = ['groups'] as const;

/**
 * Beginning of the keys of all queries about catch-alls. A catch-all is a part of its domain, so a
 * change of either fetches both anew.
 */
export const catchAllsKey = [...domainsKey, 'catch-alls'] as const;

/** One group with its people, as they are when it is opened. */
export const groupQuery = (id: string) =>
  queryOptions({
    queryKey: [...groupsKey, 'record', id],
    queryFn: ({ signal }) => api(getGroup, { params: { id }, signal }),
    staleTime: 0,
    gcTime: 0,
  });

/** The people of a company, to choose one from. */
export const peopleOf = (companyId: string) => ({
  list: listUsers,
  get: getUser,
  queryKey: [...usersKey, 'of', companyId],
  query: { company_id: companyId },
  keyOf: ({ _id }: UserDto) => _id,
  nameOf: (user: UserDto) => `${nameOrAddress(user)} (${shownAddress(user.email)})`,
});

/** The groups of a company, to choose one from. */
export const groupsOf = (companyId: string) => ({
  list: listGroups,
  get: getGroup,
  queryKey: [...groupsKey, 'of', companyId],
  query: { company_id: companyId },
  keyOf: ({ _id }: GroupDto) => _id,
  nameOf: ({ name, address }: GroupDto) => `${name} (${shownAddress(address)})`,
});
