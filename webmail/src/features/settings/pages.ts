import type { Page } from '../../lib/page.ts';

/** Stands in the place of every page until the person has the second factor of their role. */
export const forcedTwoFactorPage: Page = {
  path: '/dashboard/*',
  frame: 'alone',
  title: 'twoFactor',
  load: () => import('./security/ForcedTwoFactor.tsx'),
};

export const settingsPages: Page[] = [
  {
    path: '/dashboard/accountsettings',
    frame: 'shell',
    title: 'accountSettings',
    needs: { model: 'accountsettings', action: 'view' },
    load: () => import('./AccountSettingsPage.tsx'),
  },
];
