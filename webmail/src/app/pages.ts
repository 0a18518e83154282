import type { ComponentType } from 'react';
import { matchPath } from 'react-router-dom';
import { currentUserQuery } from '../lib/current-user.ts';
import { queryClient } from '../lib/query-client.ts';
import { readTokens } from '../lib/session.ts';

type Load = () => Promise<{ default: ComponentType }>;

const HOME = '/dashboard/inbox';

const loadSignIn: Load = () => import('../features/auth/SignInPage.tsx').then((m) => ({ default: m.SignInPage }));

interface AuthPage {
  /** Below /auth. */
  path: string;
  load: Load;
  /** A mailed link leads here, whether somebody is signed in or not. */
  isForAll?: boolean;
}

/** The screens of who is not signed in. */
export const authPages: AuthPage[] = [
  { path: 'sign-in', load: loadSignIn },
  {
    path: 'forgot-password',
    load: () => import('../features/auth/ForgotPasswordPage.tsx').then((m) => ({ default: m.ForgotPasswordPage })),
  },
  {
    path: 'set-password',
    load: () => import('../features/auth/SetPasswordPage.tsx').then((m) => ({ default: m.SetPasswordPage })),
    isForAll: true,
  },
  {
    path: 'confirm-recovery',
    load: () => import('../features/auth/ConfirmRecoveryPage.tsx').then((m) => ({ default: m.ConfirmRecoveryPage })),
    isForAll: true,
  },
];

export const loadRequiredData: Load = () =>
  import('../features/auth/RequiredDataPage.tsx').then((m) => ({ default: m.RequiredDataPage }));
export const loadForcedPasswordChange = () =>
  import('../features/auth/ForcedPasswordChange.tsx').then((m) => ({ default: m.ForcedPasswordChange }));
export const loadShell: Load = () => import('./Shell.tsx').then((m) => ({ default: m.Shell }));

interface DashboardPage {
  /** Below /dashboard, as the router takes it. A fixed path wins over a folder's name. */
  path: string;
  load: Load;
  /** Fetched in the background as well, because it is where one goes next. */
  isNext?: boolean;
}

/** Every screen inside the shell; each is a chunk of its own. */
export const dashboardPages: DashboardPage[] = [
  {
    path: 'accountsettings',
    load: () =>
      import('../features/settings/AccountSettingsPage.tsx').then((m) => ({ default: m.AccountSettingsPage })),
  },
  {
    path: 'profile',
    load: () => import('../features/profile/ProfilePage.tsx').then((m) => ({ default: m.ProfilePage })),
  },
  {
    path: 'change_password',
    load: () => import('../features/auth/ChangePasswordPage.tsx').then((m) => ({ default: m.ChangePasswordPage })),
  },
  {
    path: ':folder',
    load: () => import('../features/mail/FolderPage.tsx').then((m) => ({ default: m.FolderPage })),
    isNext: true,
  },
  {
    path: ':folder/:id',
    load: () => import('../features/mail/DetailPage.tsx').then((m) => ({ default: m.DetailPage })),
    isNext: true,
  },
];

/** Fetches side by side what the screen at an address needs, instead of one after the other while it is rendered. */
export function fetchAhead(pathname: string): void {
  const authPage = authPages.find((page) => pathname === `/auth/${page.path}`);
  if (authPage?.isForAll || !readTokens()) {
    fetchQuietly(authPage?.load ?? loadSignIn);
    return;
  }
  fetchQuietly(loadShell);
  const path = pathname === '/' ? HOME : pathname;
  const match = dashboardPages.find((page) => matchPath(`/dashboard/${page.path}`, path));
  if (match) fetchQuietly(match.load);
  void queryClient.prefetchQuery(currentUserQuery);
}

/** Fetches in quiet moments the screens that are likely to be opened next. */
export function fetchNext(): void {
  for (const { load, isNext } of dashboardPages) if (isNext) fetchQuietly(load);
}

function fetchQuietly(load: Load): void {
  // the screen asks again and shows the failure
  load().catch(() => undefined);
}
