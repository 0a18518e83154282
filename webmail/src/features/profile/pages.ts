import type { Page } from '../../lib/page.ts';

export const profilePages: Page[] = [
  {
    path: '/dashboard/profile',
    frame: 'shell',
    title: 'profile',
    needs: { model: 'profile', action: 'view' },
    load: () => import('./ProfilePage.tsx'),
  },
];
