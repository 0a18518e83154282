import type { SessionDto, SignInAnswer } from '@selvage/core/contracts/auth';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, messageOf } from '../../lib/api-error.ts';
import { storeTokens } from '../../lib/session.ts';
import {
  abandonSignIn,
  type CaptchaAnswer,
  captchaQuery,
  type Credentials,
  endSessions,
  signIn,
  type Step,
} from './queries.ts';

export type SecondFactor = NonNullable<SignInAnswer['second_factors']>[number];

/**
 * What a sign-in waits for:
 *
 *   form --login--> [code --proof-->] [sessions --end some, the same step again-->] signed in
 *
 * `again` is the step that met the session limit. It is made anew without the captcha or the code: the server remembers that they were right.
 */
type Waiting =
  | { kind: 'code'; factors: SecondFactor[] }
  | { kind: 'sessions'; token: string; sessions: SessionDto[]; again: Step };

/** How a step ended. `wrong`: the code was refused and is typed anew where it was typed. */
export type Outcome = 'taken' | 'wrong' | 'failed';

const SETTLE_MS = 100;

/** Words for whatever a step ended with. */
function wordsFor(error: unknown, fallback: string): string {
  if (!(error instanceof ApiError)) return 'An unexpected error occurred.';
  return error.message || fallback;
}

/** Whether the server no longer goes on with this sign-in; anything else can be tried again where one is. */
function isOver(error: unknown): boolean {
  return error instanceof ApiError && [401, 403].includes(error.status) && error.code !== 'wrong_code';
}

/** The whole of signing in: the form's state machine without its looks. */
export function useSignIn() {
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [waiting, setWaiting] = useState<Waiting | null>(null);

  /** Back to the form. The captcha is used up, whatever became of it. */
  const startOver = async (text: string | null): Promise<void> => {
    setWaiting(null);
    setProblem(text);
    await client.refetchQueries({ queryKey: captchaQuery.queryKey });
  };

  const take = async (answer: SignInAnswer, again: Step): Promise<void> => {
    if (answer.device_limit_reached && answer.token) {
      setWaiting({ kind: 'sessions', token: answer.token, sessions: answer.active_sessions ?? [], again });
    } else if (answer.otpRequired) {
      setWaiting({ kind: 'code', factors: answer.second_factors ?? ['totp'] });
    } else if (answer.success && answer.token && answer.refreshToken) {
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
      client.clear();
      // the routes see that somebody is signed in, load them and go where they land
      storeTokens({ token: answer.token, refreshToken: answer.refreshToken });
    } else {
      await startOver(answer.message || 'Login failed.');
    }
  };

  const run = async (step: Step, again: Step, fallback: string): Promise<Outcome> => {
    setBusy(true);
    setProblem(null);
    try {
      await take(await step(), again);
      return 'taken';
    } catch (error) {
      if (!waiting || isOver(error)) await startOver(wordsFor(error, fallback));
      else setProblem(wordsFor(error, fallback));
      return error instanceof ApiError && error.code === 'wrong_code' ? 'wrong' : 'failed';
    } finally {
      setBusy(false);
    }
  };

  const attempt = (credentials: Credentials, captcha: CaptchaAnswer) =>
    run(
      () => signIn(credentials, captcha),
      () => signIn(credentials),
      'Login failed.',
    );

  const prove = (step: Step) => run(step, step, 'OTP verification failed.');

  const retry = async (): Promise<void> => {
    if (waiting?.kind === 'sessions') await run(waiting.again, waiting.again, 'Login failed.');
  };

  const endAndRetry = async (sessionIds: string[]): Promise<void> => {
    if (waiting?.kind !== 'sessions') return;
    setBusy(true);
    setProblem(null);
    try {
      await endSessions(waiting.token, sessionIds);
    } catch (error) {
      setBusy(false);
      if (isOver(error)) return await startOver(messageOf(error));
      const fallback = sessionIds.length > 1 ? 'Failed to log out all sessions.' : 'Failed to log out session.';
      return setProblem(error instanceof ApiError && error.message ? error.message : fallback);
    }
    await retry();
  };

  const cancel = async (): Promise<void> => {
    const given = waiting;
    setWaiting(null);
    setProblem(null);
    if (given?.kind === 'sessions') await abandonSignIn(given.token);
    await startOver(null);
  };

  const forgetProblem = (): void => setProblem(null);

  return { isBusy, problem, waiting, attempt, prove, endAndRetry, cancel, retry, forgetProblem };
}
