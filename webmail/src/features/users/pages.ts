import type { UserDto } from '@selvage/core/contracts/users';
import { fullNameOf } from '../../lib/current-user.ts';
import type { Page } from '../../lib/page.ts';
import { userKey } from './queries.ts';

const needs = { model: 'user', action: 'view' } as const;

export const userPages: Page[] = [
  {
    path: '/dashboard/user',
    frame: 'shell',
    title: 'users',
    needs,
    navigation: { group: 'organisation', order: 30, icon: 'users' },
    load: () => import('./UsersPage.tsx'),
  },
  {
    path: '/dashboard/user/:id',
    frame: 'shell',
    title: 'user',
    needs,
    record: ({ id = '' }) => ({
      queryKey: userKey(id),
      nameOf: (data) => (data ? fullNameOf(data as UserDto) : null),
    }),
    load: () => import('./UserPage.tsx'),
  },
];
