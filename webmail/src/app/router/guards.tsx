import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { Navigate } from 'react-router-dom';
import { PageSpinner } from '../../components/feedback/PageSpinner.tsx';
import { currentUserQuery } from '../../lib/current-user.ts';
import { afterSignIn, awayFromAuth, type Lander } from '../../lib/landing.ts';
import { loadModule } from '../../lib/load-module.ts';
import { subjectOf } from '../../lib/session.ts';
import { forcedPasswordPage } from '../page-registry.ts';
import { useTokens } from '../use-session.ts';
import { PageScreen } from './PageScreen.tsx';

const LoadFailure = lazy(() => loadModule(() => import('./LoadFailure.tsx')));

/** Lets the signed-in through. A person who has to change their password first sees nothing else, whatever the address. */
export function SignedIn({ children }: { children: ReactNode }) {
  const tokens = useTokens();
  if (!tokens) return <Navigate to="/auth/sign-in" replace />;
  // another person in another tab: start over rather than mix the two
  return <PasswordFirst key={subjectOf(tokens.token)}>{children}</PasswordFirst>;
}

function PasswordFirst({ children }: { children: ReactNode }) {
  const { data: user } = useQuery(currentUserQuery);
  return user?.password_change_required ? <PageScreen page={forcedPasswordPage} /> : children;
}

/**
 * Lets those through who are not signed in. A person who signs in here goes where a sign-in leads; one who was signed in
 * already goes where their role lands (D15).
 */
export function SignedOut({ children }: { children: ReactNode }) {
  const tokens = useTokens();
  const [wasSignedIn] = useState(tokens !== null);
  if (!tokens) return children;
  return <Landing to={wasSignedIn ? awayFromAuth : afterSignIn} />;
}

/** Sends a person on, once it is known who they are. Without a session they go and log in. */
export function Landing({ to }: { to: (user: Lander) => string }) {
  const tokens = useTokens();
  const { data: user, error, refetch } = useQuery({ ...currentUserQuery, enabled: tokens !== null });
  if (!tokens) return <Navigate to="/auth/sign-in" replace />;
  if (user) return <Navigate to={to(user)} replace />;
  if (!error) return <PageSpinner />;
  return (
    <Suspense fallback={<PageSpinner />}>
      <LoadFailure error={error} onRetry={() => void refetch()} />
    </Suspense>
  );
}
