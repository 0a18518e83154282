import type { ReactNode } from 'react';
import { Navigate } from 'react-router-dom';
import { mayOpen } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import type { Page } from '../../lib/page.ts';
import { navigationOf } from '../shell/navigation.ts';
import { NoPage } from './parts.ts';

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
  return <NoPage reason="nothing" />;
}
