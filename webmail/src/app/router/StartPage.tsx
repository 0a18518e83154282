import { lazy, type ReactNode, Suspense } from 'react';
import { Navigate } from 'react-router-dom';
import { PageSpinner } from '../../components/feedback/PageSpinner.tsx';
import { mayOpen } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { loadModule } from '../../lib/load-module.ts';
import type { Page } from '../../lib/page.ts';
import { navigationOf } from '../shell/navigation.ts';

const NoPage = lazy(() => loadModule(() => import('./NoPage.tsx')));

interface Props {
  /** The home page. */
  page: Page;
  /** Its screen. */
  children: ReactNode;
}

/** The home page; for a person who may not open it, the first page of the navigation. */
export function StartPage({ page, children }: Props) {
  const user = useCurrentUser();
  if (user === undefined || mayOpen(user, page)) return children;
  const [first] = navigationOf(user).flatMap(({ items }) => items);
  if (first) return <Navigate to={first.path} replace />;
  return (
    <Suspense fallback={<PageSpinner />}>
      <NoPage reason="nothing" />
    </Suspense>
  );
}
