import type { Page } from '../../lib/page.ts';

export const groupPages: Page[] = [
  {
    path: '/dashboard/groups',
    frame: 'shell',
    title: 'groups',
    needs: { model: 'user', action: 'view' },
    navigation: { group: 'organisation', order: 35, icon: 'groups' },
    load: () => import('./GroupsPage.tsx'),
  },
  {
    path: '/dashboard/groups/catch_all',
    frame: 'shell',
    title: 'catchAll',
    needs: { model: 'domain', action: 'view' },
    load: () => import('./CatchAllPage.tsx'),
  },
];
