import type { SessionDto } from '@selvage/core/contracts/auth';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, messageOf } from '../../lib/api-error.ts';
import { storeTokens } from '../../lib/session.ts';
import { abandonSignIn, type CaptchaAnswer, captchaQuery, type Credentials, endSessions, signIn } from './queries.ts';

type Answer = Awaited<ReturnType<typeof signIn>>;

/** A sign-in that waits until one of the person's sessions is ended. */
interface Waiting {
  credentials: Credentials;
  token: string;
  sessions: SessionDto[];
}

const SETTLE_MS = 100;
const TWO_FACTOR = 'This account asks for a two-factor code, which this sign-in page does not take yet.';

/** The whole of signing in: the form's state machine without its looks. */
export function useSignIn() {
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [waiting, setWaiting] = useState<Waiting | null>(null);

  const fail = async (text: string): Promise<void> => {
    setProblem(text);
    await client.refetchQueries({ queryKey: captchaQuery.queryKey });
  };

  const take = async (answer: Answer, credentials: Credentials): Promise<void> => {
    if (answer.device_limit_reached && answer.token) {
      setWaiting({ credentials, token: answer.token, sessions: answer.active_sessions ?? [] });
      return;
    }
    setWaiting(null);
    if (answer.otpRequired) return fail(TWO_FACTOR);
    if (!answer.success || !answer.token || !answer.refreshToken) return fail(answer.message || 'Login failed.');
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    client.clear();
    storeTokens({ token: answer.token, refreshToken: answer.refreshToken });
  };

  const attempt = async (credentials: Credentials, captcha?: CaptchaAnswer): Promise<void> => {
    setBusy(true);
    setProblem(null);
    try {
      await take(await signIn(credentials, captcha), credentials);
    } catch (error) {
      setWaiting(null);
      await fail(error instanceof ApiError ? error.message || 'Login failed.' : 'An unexpected error occurred.');
    } finally {
      setBusy(false);
    }
  };

  const endAndRetry = async (sessionIds: string[]): Promise<void> => {
    if (!waiting) return;
    setBusy(true);
    setProblem(null);
    try {
      await endSessions(waiting.token, sessionIds);
      await attempt(waiting.credentials);
    } catch (error) {
      const fallback = sessionIds.length > 1 ? 'Failed to log out all sessions.' : 'Failed to log out session.';
      setProblem(error instanceof ApiError ? messageOf(error) : fallback);
    } finally {
      setBusy(false);
    }
  };

  const cancel = async (): Promise<void> => {
    if (!waiting) return;
    setWaiting(null);
    await abandonSignIn(waiting.token);
    await client.refetchQueries({ queryKey: captchaQuery.queryKey });
  };

  const retry = async (): Promise<void> => {
    if (waiting) await attempt(waiting.credentials);
  };

  return { isBusy, problem, waiting, attempt, endAndRetry, cancel, retry };
}
