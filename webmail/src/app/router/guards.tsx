import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { Navigate } from 'react-router-dom';
import { PageSpinner } from '../../components/feedback/PageSpinner.tsx';
import { currentUserQuery, useSubject } from '../../lib/current-user.ts';
import { afterSignIn, awayFromAuth, type Lander } from '../../lib/landing.ts';
import { loadModule } from '../../lib/load-module.ts';
import { PageStays } from '../../lib/page-stays.ts';
import { catchUp } from '../connection/catch-up.ts';
import { forcedPasswordPage } from '../page-registry.ts';
import { PageScreen } from './PageScreen.tsx';

const LoadFailure = lazy(() => loadModule(() => import('./LoadFailure.tsx')));

/** Lets the signed-in through. A person who has to change their password first sees nothing else, whatever the address. */
export function SignedIn({ children }: { children: ReactNode }) {
  const subject = useSubject();
  if (subject === null) return <Navigate to="/auth/sign-in" replace />;
  // another person in another tab: start over rather than mix the two
  return <PasswordFirst key={subject}>{children}</PasswordFirst>;
}

/** A page that was open when its person was told to change their password stays below the question, with what they typed. */
function PasswordFirst({ children }: { children: ReactNode }) {
  const { data: user } = useQuery(currentUserQuery);
  const [wasOpen, setWasOpen] = useState(false);
  const isAsked = user?.password_change_required ?? false;
  if (user && !isAsked && !wasOpen) setWasOpen(true);
  useEffect(() => {
    // what the page asked for in between was refused
    if (isAsked) return catchUp;
  }, [isAsked]);
  return (
    <>
      {(!isAsked || wasOpen) && children}
      {isAsked && (
        <PageStays value={wasOpen}>
          <PageScreen page={forcedPasswordPage} />
        </PageStays>
      )}
    </>
  );
}

/**
 * Lets those through who are not signed in. A person who signs in here goes where a sign-in leads; one who was signed in
 * already goes where their role lands (D15).
 */
export function SignedOut({ children }: { children: ReactNode }) {
  const subject = useSubject();
  const [wasSignedIn] = useState(subject !== null);
  if (subject === null) return children;
  return <Landing to={wasSignedIn ? awayFromAuth : afterSignIn} />;
}

/** Sends a person on, once it is known who they are. Without a session they go and log in. */
export function Landing({ to }: { to: (user: Lander) => string }) {
  const subject = useSubject();
  const { data: user, error, refetch } = useQuery({ ...currentUserQuery, enabled: subject !== null });
  if (subject === null) return <Navigate to="/auth/sign-in" replace />;
  if (user) return <Navigate to={to(user)} replace />;
  if (!error) return <PageSpinner />;
  return (
    <Suspense fallback={<PageSpinner />}>
      <LoadFailure error={error} onRetry={() => void refetch()} />
    </Suspense>
  );
}
