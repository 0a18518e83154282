import type { Page } from '../../lib/page.ts';

export const authPages: Page[] = [
  { path: '/auth/sign-in', frame: 'signed-out', title: 'logIn', load: () => import('./SignInPage.tsx') },
  {
    path: '/auth/forgot-password',
    frame: 'signed-out',
    title: 'forgotPassword',
    load: () => import('./ForgotPasswordPage.tsx'),
  },
  { path: '/auth/set-password', frame: 'anyone', title: 'setPassword', load: () => import('./SetPasswordPage.tsx') },
  {
    path: '/auth/confirm-recovery',
    frame: 'anyone',
    title: 'confirmRecovery',
    load: () => import('./ConfirmRecoveryPage.tsx'),
  },
  {
    path: '/auth/confirm-forwarding',
    frame: 'anyone',
    title: 'confirmForwarding',
    load: () => import('./ConfirmForwardingPage.tsx'),
  },
  {
    path: '/dashboard/change_password',
    frame: 'shell',
    title: 'changePassword',
    load: () => import('./ChangePasswordPage.tsx'),
  },
];

/** Stands in the place of every page until the person has chosen a password of their own. */
export const forcedPasswordPage: Page = {
  path: '/dashboard/*',
  frame: 'alone',
  title: 'changePassword',
  load: () => import('./ForcedPasswordChange.tsx'),
};
