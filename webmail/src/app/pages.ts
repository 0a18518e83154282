import type { ComponentType } from 'react';
import { matchPath } from 'react-router-dom';
import { currentUserQuery } from '../lib/current-user.ts';
import { queryClient } from '../lib/query-client.ts';
import { readTokens } from '../lib/session.ts';

type Load = () => Promise<{ default: ComponentType }>;

export const HOME = '/dashboard/inbox';

export const loadSignIn: Load = () =>
  import('../features/auth/SignInPage.tsx').then((m) => ({ default: m.SignInPage }));
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
  if (!readTokens()) {
    fetchQuietly(loadSignIn);
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
