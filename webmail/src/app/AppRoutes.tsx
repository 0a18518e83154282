import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { BrowserRouter, Navigate, Route, Routes } from 'react-router-dom';
import { PageSpinner } from '../components/PageSpinner.tsx';
import { awayFromNowhere, fromRoot } from '../lib/landing.ts';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { Landing, SignedIn, SignedOut } from './guards.tsx';
import { authPages, dashboardPages, loadRequiredData, loadShell } from './pages.ts';

const Shell = lazy(loadShell);
const RequiredData = lazy(loadRequiredData);
const authRoutes = authPages.map(({ load, ...page }) => ({ ...page, Page: lazy(load) }));
const dashboardRoutes = dashboardPages.map(({ path, load }) => ({ path, Page: lazy(load) }));

function page(Page: ComponentType): ReactNode {
  return (
    <ErrorBoundary>
      <Suspense fallback={<PageSpinner />}>
        <Page />
      </Suspense>
    </ErrorBoundary>
  );
}

const toSignIn = <Navigate to="/auth/sign-in" replace />;
const toSomewhere = <Landing to={awayFromNowhere} />;

export function AppRoutes() {
  return (
    <BrowserRouter>
      <Routes>
        <Route path="/" element={<Landing to={fromRoot} />} />
        {authRoutes.map(({ path, Page, isForAll }) => (
          <Route
            key={path}
            path={`/auth/${path}`}
            element={isForAll ? page(Page) : <SignedOut>{page(Page)}</SignedOut>}
          />
        ))}
        <Route path="/auth/*" element={<SignedOut>{toSignIn}</SignedOut>} />
        <Route path="/required_data" element={<SignedIn>{page(RequiredData)}</SignedIn>} />
        <Route path="/dashboard" element={<SignedIn>{page(Shell)}</SignedIn>}>
          <Route index element={toSomewhere} />
          {dashboardRoutes.map(({ path, Page }) => (
            <Route key={path} path={path} element={page(Page)} />
          ))}
          <Route path="*" element={toSomewhere} />
        </Route>
        <Route path="*" element={toSomewhere} />
      </Routes>
    </BrowserRouter>
  );
}
