import { HOME } from '../../lib/landing.ts';
import type { Page } from '../../lib/page.ts';

export const homePages: Page[] = [
  {
    path: HOME,
    frame: 'shell',
    title: 'home',
    needs: { model: 'home', action: 'view' },
    navigation: { group: 'top', order: 10, icon: 'home' },
    load: () => import('./HomePage.tsx'),
  },
];
