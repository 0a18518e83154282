import type { Page } from '../../lib/page.ts';
import { nameIn, recordKey, usersKey } from '../../lib/record-keys.ts';

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
    record: ({ id = '' }) => ({ queryKey: recordKey(usersKey, id), nameOf: nameIn }),
    load: () => import('./UserPage.tsx'),
  },
];
