import { isId } from '@selvage/core/contracts/is-id';
import { createElement } from 'react';
import { useLocation, useParams } from 'react-router-dom';
import { mayOpen } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import type { Page } from '../../lib/page.ts';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { NoPage } from './parts.ts';
import { screenOf } from './screens.ts';
import { usePageTitle } from './use-page-title.ts';

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
      {reason ? <NoPage reason={reason} /> : createElement(screenOf(page))}
    </ErrorBoundary>
  );
}
