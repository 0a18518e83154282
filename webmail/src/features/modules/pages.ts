import type { Page } from '../../lib/page.ts';

export const modulePages: Page[] = [
  {
    path: '/dashboard/modules',
    frame: 'shell',
    title: 'modules',
    needs: { model: 'module', action: 'view' },
    isHostOnly: true,
    navigation: { group: 'host', order: 20, icon: 'modules' },
    load: () => import('./ModulesPage.tsx'),
  },
];
