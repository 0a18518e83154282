import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { Navigate } from 'react-router-dom';
import { PageSpinner } from '../components/PageSpinner.tsx';
import { currentUserQuery } from '../lib/current-user.ts';
import { afterSignIn, awayFromAuth, type Lander } from '../lib/landing.ts';
import { subjectOf } from '../lib/session.ts';
import { loadForcedPasswordChange } from './pages.ts';
import { useTokens } from './use-session.ts';

const ForcedPasswordChange = lazy(loadForcedPasswordChange);
const LoadFailure = lazy(() => import('./LoadFailure.tsx').then((m) => ({ default: m.LoadFailure })));

/** Lets the signed-in through; whoever has to change their password first sees nothing else, whatever the address. */
export function SignedIn({ children }: { children: ReactNode }) {
  const tokens = useTokens();
  if (!tokens) return <Navigate to="/auth/sign-in" replace />;
  // another person in another tab: start over rather than mix the two
  return <PasswordFirst key={subjectOf(tokens.token)}>{children}</PasswordFirst>;
}

function PasswordFirst({ children }: { children: ReactNode }) {
  const { data: user } = useQuery(currentUserQuery);
  if (!user?.password_change_required) return children;
  return (
    <Suspense fallback={<PageSpinner />}>
      <ForcedPasswordChange user={user} />
    </Suspense>
  );
}

/** Lets who is not signed in through. Who signs in there goes where a sign-in leads, who was signed in already by their role (D15). */
export function SignedOut({ children }: { children: ReactNode }) {
  const tokens = useTokens();
  const [wasSignedIn] = useState(tokens !== null);
  if (!tokens) return children;
  return <Landing to={wasSignedIn ? awayFromAuth : afterSignIn} />;
}

/** Sends somebody on, once it is known who they are; those who are not signed in go and do so. */
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
