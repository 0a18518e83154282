import type { Page } from '../../lib/page.ts';

export const settingsPages: Page[] = [
  {
    path: '/dashboard/accountsettings',
    frame: 'shell',
    title: 'accountSettings',
    needs: { model: 'accountsettings', action: 'view' },
    load: () => import('./AccountSettingsPage.tsx'),
  },
];
