import { Fragment, lazy, type ReactNode, Suspense } from 'react';
import { createBrowserRouter, Navigate } from 'react-router-dom';
import { Crash } from '../components/Crash.tsx';
import { PageSpinner } from '../components/PageSpinner.tsx';
import { subjectOf } from '../lib/session.ts';
import { useTokens } from './use-session.ts';

const SignInPage = lazy(() => import('../features/auth/SignInPage.tsx').then((m) => ({ default: m.SignInPage })));
const Shell = lazy(() => import('./Shell.tsx').then((m) => ({ default: m.Shell })));
const FolderPage = lazy(() => import('../features/mail/FolderPage.tsx').then((m) => ({ default: m.FolderPage })));
const DetailPage = lazy(() => import('../features/mail/DetailPage.tsx').then((m) => ({ default: m.DetailPage })));

const HOME = '/dashboard/inbox';

function SignedIn({ children }: { children: ReactNode }) {
  const tokens = useTokens();
  if (!tokens) return <Navigate to="/auth/sign-in" replace />;
  // another person in another tab: start over rather than mix the two
  return <Fragment key={subjectOf(tokens.token)}>{children}</Fragment>;
}

function SignedOut({ children }: { children: ReactNode }) {
  return useTokens() ? <Navigate to={HOME} replace /> : children;
}

function loading(page: ReactNode): ReactNode {
  return <Suspense fallback={<PageSpinner />}>{page}</Suspense>;
}

export const router = createBrowserRouter([
  {
    errorElement: <Crash />,
    children: [
      { path: '/auth/sign-in', element: <SignedOut>{loading(<SignInPage />)}</SignedOut> },
      { path: '/auth/*', element: <Navigate to="/auth/sign-in" replace /> },
      {
        path: '/dashboard',
        element: <SignedIn>{loading(<Shell />)}</SignedIn>,
        children: [
          { path: ':folder', element: loading(<FolderPage />), errorElement: <Crash /> },
          { path: ':folder/:id', element: loading(<DetailPage />), errorElement: <Crash /> },
          { index: true, element: <Navigate to={HOME} replace /> },
          { path: '*', element: <Navigate to={HOME} replace /> },
        ],
      },
      { path: '*', element: <Navigate to={HOME} replace /> },
    ],
  },
]);
