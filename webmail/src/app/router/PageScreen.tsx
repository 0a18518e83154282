import { isId } from '@selvage/core/contracts/is-id';
import { createElement, lazy, Suspense, useEffect } from 'react';
import { useLocation, useParams } from 'react-router-dom';
import { PageSpinner } from '../../components/feedback/PageSpinner.tsx';
import { mayOpen } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { loadModule } from '../../lib/load-module.ts';
import type { Page } from '../../lib/page.ts';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { markFirstScreen } from './first-screen.ts';
import { screenOf } from './screens.ts';
import { usePageTitle } from './use-page-title.ts';

const NoPage = lazy(() => loadModule(() => import('./NoPage.tsx')));

/**
 * Renders a page: sets its title, checks the permission, loads its code and catches its failures.
 */
export function PageScreen({ page }: { page: Page }) {
  const { pathname } = useLocation();
  const user = useCurrentUser();
  const params = useParams();
  usePageTitle(page, params);
  const isForbidden = user !== undefined && !mayOpen(user, page);
  // Such an address can name no record, so there is nothing to ask the server for
  const isGone = params['id'] !== undefined && !isId(params['id']);
  const reason = isForbidden ? 'forbidden' : isGone ? 'gone' : null;
  return (
    <ErrorBoundary place={pathname}>
      <Suspense fallback={<PageSpinner />}>
        {reason ? <NoPage reason={reason} /> : createElement(screenOf(page))}
        <Arrival />
      </Suspense>
    </ErrorBoundary>
  );
}

/** Rendered after a page, so it is mounted when the page is. */
function Arrival() {
  useEffect(markFirstScreen, []);
  return null;
}
