import { type ComponentType, Fragment, lazy, type ReactNode, Suspense } from 'react';
import { BrowserRouter, Navigate, Route, Routes } from 'react-router-dom';
import { PageSpinner } from '../components/PageSpinner.tsx';
import { subjectOf } from '../lib/session.ts';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { dashboardPages, HOME, loadShell, loadSignIn } from './pages.ts';
import { useTokens } from './use-session.ts';

const SignInPage = lazy(loadSignIn);
const Shell = lazy(loadShell);
const routes = dashboardPages.map(({ path, load }) => ({ path, Page: lazy(load) }));

function SignedIn({ children }: { children: ReactNode }) {
  const tokens = useTokens();
  if (!tokens) return <Navigate to="/auth/sign-in" replace />;
  // another person in another tab: start over rather than mix the two
  return <Fragment key={subjectOf(tokens.token)}>{children}</Fragment>;
}

function SignedOut({ children }: { children: ReactNode }) {
  return useTokens() ? <Navigate to={HOME} replace /> : children;
}

function page(Page: ComponentType): ReactNode {
  return (
    <ErrorBoundary>
      <Suspense fallback={<PageSpinner />}>
        <Page />
      </Suspense>
    </ErrorBoundary>
  );
}

export function AppRoutes() {
  return (
    <BrowserRouter>
      <Routes>
        <Route path="/auth/sign-in" element={<SignedOut>{page(SignInPage)}</SignedOut>} />
        <Route path="/auth/*" element={<Navigate to="/auth/sign-in" replace />} />
        <Route path="/dashboard" element={<SignedIn>{page(Shell)}</SignedIn>}>
          <Route index element={<Navigate to={HOME} replace />} />
          {routes.map(({ path, Page }) => (
            <Route key={path} path={path} element={page(Page)} />
          ))}
          <Route path="*" element={<Navigate to={HOME} replace />} />
        </Route>
        <Route path="*" element={<Navigate to={HOME} replace />} />
      </Routes>
    </BrowserRouter>
  );
}
