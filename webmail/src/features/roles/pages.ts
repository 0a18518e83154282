import type { Page } from '../../lib/page.ts';

export const rolePages: Page[] = [
  {
    path: '/dashboard/role',
    frame: 'shell',
    title: 'roles',
    needs: { model: 'role', action: 'view' },
    navigation: { group: 'organisation', order: 40, icon: 'roles' },
    load: () => import('./RolesPage.tsx'),
  },
];
