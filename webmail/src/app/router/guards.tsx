import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { Navigate } from 'react-router-dom';
import { FirstPaint } from '../../components/feedback/FirstPaint.tsx';
import { currentUserQuery, useSubject } from '../../lib/current-user.ts';
import { dutyOf, isSettingUpTwoFactor } from '../../lib/duties.ts';
import { IsOverOpenPage } from '../../lib/is-over-open-page.ts';
import { afterSignIn, type Lander, pageInsteadOfLogin } from '../../lib/landing.ts';
import { catchUp } from '../connection/catch-up.ts';
import { forcedPasswordPage, forcedTwoFactorPage } from '../page-registry.ts';
import { PageScreen } from './PageScreen.tsx';
import { LoadFailure } from './parts.ts';

/**
 * Lets logged-in people through. While the server asks a person for another password or a second
 * factor, they see only that, at any address.
 */
export function SignedIn({ children }: { children: ReactNode }) {
  const subject = useSubject();
  if (subject === null) return <Navigate to="/auth/sign-in" replace />;
  // Another person logged in in another tab: start over instead of mixing the two
  return <DutiesFirst key={subject}>{children}</DutiesFirst>;
}

/**
 * A page that was open when the person was asked to do something first stays below the dialog, with
 * what they typed.
 */
function DutiesFirst({ children }: { children: ReactNode }) {
  const { data: user } = useQuery(currentUserQuery);
  const [wasOpen, setWasOpen] = useState(false);
  const isSettingUp = useStore(isSettingUpTwoFactor);
  const duty = dutyOf(user) ?? (isSettingUp ? 'two-factor' : null);
  const isAsked = duty !== null;
  if (user && !isAsked && !wasOpen) setWasOpen(true);
  // The next person in this tab begins anew
  useEffect(() => () => isSettingUpTwoFactor.set(false), []);
  useEffect(() => {
    // Calls of the page were refused meanwhile
    if (isAsked) return catchUp;
  }, [isAsked]);
  return (
    <>
      {(!isAsked || wasOpen) && children}
      {isAsked && (
        <IsOverOpenPage value={wasOpen}>
          <PageScreen page={duty === 'password' ? forcedPasswordPage : forcedTwoFactorPage} />
        </IsOverOpenPage>
      )}
    </>
  );
}

/**
 * Lets people through who are not logged in. A person who logs in here goes on as after a login. A
 * person who was already logged in goes where their role leads (D15).
 */
export function SignedOut({ children }: { children: ReactNode }) {
  const subject = useSubject();
  const [wasSignedIn] = useState(subject !== null);
  if (subject === null) return children;
  return <Landing to={wasSignedIn ? pageInsteadOfLogin : afterSignIn} />;
}

/** Sends a person on once they are loaded. Without a session it leads to the login page. */
export function Landing({ to }: { to: (user: Lander) => string }) {
  const subject = useSubject();
  const { data: user, error, refetch } = useQuery({ ...currentUserQuery, enabled: subject !== null });
  if (subject === null) return <Navigate to="/auth/sign-in" replace />;
  if (user) return <Navigate to={to(user)} replace />;
  if (!error) return <FirstPaint />;
  return <LoadFailure error={error} onRetry={() => void refetch()} />;
}
