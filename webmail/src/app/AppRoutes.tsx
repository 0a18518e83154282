import { Fragment, lazy, type ReactNode, Suspense } from 'react';
import { BrowserRouter, Navigate, Route, Routes } from 'react-router-dom';
import { PageSpinner } from '../components/PageSpinner.tsx';
import { subjectOf } from '../lib/session.ts';
import { ErrorBoundary } from './ErrorBoundary.tsx';
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

function page(element: ReactNode): ReactNode {
  return <ErrorBoundary>{loading(element)}</ErrorBoundary>;
}

export function AppRoutes() {
  return (
    <BrowserRouter>
      <Routes>
        <Route path="/auth/sign-in" element={<SignedOut>{page(<SignInPage />)}</SignedOut>} />
        <Route path="/auth/*" element={<Navigate to="/auth/sign-in" replace />} />
        <Route path="/dashboard" element={<SignedIn>{page(<Shell />)}</SignedIn>}>
          <Route index element={<Navigate to={HOME} replace />} />
          <Route path=":folder" element={page(<FolderPage />)} />
          <Route path=":folder/:id" element={page(<DetailPage />)} />
          <Route path="*" element={<Navigate to={HOME} replace />} />
        </Route>
        <Route path="*" element={<Navigate to={HOME} replace />} />
      </Routes>
    </BrowserRouter>
  );
}
