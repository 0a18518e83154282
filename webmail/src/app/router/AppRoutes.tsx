import { Navigate, Outlet, Route, Routes, useLocation } from 'react-router-dom';
import { fromRoot, HOME, pageForUnknownAddress, START } from '../../lib/landing.ts';
import type { Page } from '../../lib/page.ts';
import { pages } from '../page-registry.ts';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { Landing, SignedIn, SignedOut } from './guards.tsx';
import { PageScreen } from './PageScreen.tsx';
import { Shell } from './parts.ts';
import { aroundOf } from './screens.ts';
import { StartPage } from './StartPage.tsx';

function framed(page: Page) {
  // Two paths of one component are two pages: no state of the first may stay on the second
  const screen = <PageScreen key={page.path} page={page} />;
  if (page.path === HOME) return <StartPage page={page}>{screen}</StartPage>;
  if (page.frame === 'alone') return <SignedIn>{screen}</SignedIn>;
  return page.frame === 'signed-out' ? <SignedOut>{screen}</SignedOut> : screen;
}

function routesOutside() {
  return pages
    .filter(({ frame }) => frame !== 'shell')
    .map((page) => <Route key={page.path} path={page.path} element={framed(page)} />);
}

/**
 * The routes of the pages in the shell. Pages with the same surroundings (`around`) share one route
 * above them.
 */
function routesOfShell() {
  const inShell = pages.filter(({ frame }) => frame === 'shell');
  return [...new Set(inShell.map(({ around }) => around))].map((load, index) => {
    const members = inShell.filter(({ around }) => around === load);
    const routes = members.map((page) => <Route key={page.path} path={page.path} element={framed(page)} />);
    if (!load) return routes;
    const Around = aroundOf(load);
    const around = (
      <Around>
        <Outlet />
      </Around>
    );
    return (
      <Route key={String(index)} element={around}>
        {routes}
      </Route>
    );
  });
}

const shell = (
  <SignedIn>
    <Shell />
  </SignedIn>
);
const toSignIn = (
  <SignedOut>
    <Navigate to="/auth/sign-in" replace />
  </SignedOut>
);

/**
 * Every address of the app, from the descriptors of the pages. A failure outside of a page also
 * ends when the person goes elsewhere.
 */
export function AppRoutes() {
  return (
    <ErrorBoundary place={useLocation().pathname}>
      <AllRoutes />
    </ErrorBoundary>
  );
}

// Made once, so that the surroundings of pages keep their state while the pages change
const shellRoutes = routesOfShell();

function AllRoutes() {
  return (
    <Routes>
      <Route path="/" element={<Landing to={fromRoot} />} />
      <Route path={START} element={<Landing to={fromRoot} />} />
      {routesOutside()}
      <Route path="/auth/*" element={toSignIn} />
      <Route element={shell}>{shellRoutes}</Route>
      <Route path="*" element={<Landing to={pageForUnknownAddress} />} />
    </Routes>
  );
}
