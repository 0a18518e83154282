import type { SessionDto, SignInAnswer } from '@selvage/core/contracts/auth';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../lib/api-error.ts';
import { wordsOf } from '../../lib/i18n.ts';
import { storeTokens } from '../../lib/session.ts';
import { signInWords } from '../../words/sign-in.ts';
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
 * What a login waits for:
 *
 *   form --login--> [code --proof-->] [sessions --end some, the same step again-->] signed in
 *
 * `again` is the step that met the session limit. It is made anew without the captcha or the code:
 * the server remembers that they were right.
 */
type Waiting =
  | { kind: 'code'; factors: SecondFactor[]; isPasswordByMail: boolean }
  | { kind: 'sessions'; token: string; sessions: SessionDto[]; again: Step };

function codeFor({
  second_factors: factors = ['totp'],
  password_by_recovery_email: isPasswordByMail = false,
}: SignInAnswer): Waiting {
  return { kind: 'code', factors, isPasswordByMail };
}

const SETTLE_MS = 100;

/** The same failure in words for the person. */
function inWords(error: unknown, fallback: string): ApiError {
  if (!(error instanceof ApiError)) return new ApiError(wordsOf(signInWords).unexpected, { status: 0 });
  return error.message ? error : new ApiError(fallback, { status: error.status });
}

function isWrongCode(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'wrong_code';
}

/**
 * Whether the server has ended this login. After any other failure, the person can try again at the
 * same step.
 */
function isOver(error: unknown): boolean {
  return error instanceof ApiError && [401, 403].includes(error.status) && !isWrongCode(error);
}

/**
 * A failure of the dialog that lists the sessions. A wrong code means there that the second factor
 * was right but counts no longer, and the dialog can't ask for another one.
 */
function inWordsAtSessions(error: unknown, fallback: string): string {
  return isWrongCode(error) ? wordsOf(signInWords).factorAgain : inWords(error, fallback).message;
}

/** The whole of a login: the state machine without its looks. */
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

  /** @throws {ApiError} when the answer leads nowhere */
  const take = async (answer: SignInAnswer, again: Step): Promise<void> => {
    if (answer.device_limit_reached && answer.token) {
      setWaiting({ kind: 'sessions', token: answer.token, sessions: answer.active_sessions ?? [], again });
    } else if (answer.otpRequired) {
      setWaiting(codeFor(answer));
    } else if (answer.success && answer.token && answer.refreshToken) {
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
      client.clear();
      // The routes see the session, load its person and go where they land
      storeTokens({ token: answer.token, refreshToken: answer.refreshToken, expires_in: answer.expires_in });
    } else {
      throw new ApiError(answer.message || wordsOf(signInWords).failed, { status: 401 });
    }
  };

  /** The first step. @throws {ApiError} in words for the form */
  const attempt = async (credentials: Credentials, captcha: CaptchaAnswer): Promise<void> => {
    setProblem(null);
    try {
      await take(await signIn(credentials, captcha), () => signIn(credentials));
    } catch (error) {
      const failure = inWords(error, wordsOf(signInWords).failed);
      await startOver(null);
      throw failure;
    }
  };

  /**
   * The second step. When the server has ended the login, the person is back at the form, which
   * says why.
   * @throws {ApiError} in words for the dialog, when it can be tried again there
   */
  const prove = async (step: Step): Promise<void> => {
    try {
      await take(await step(), step);
    } catch (error) {
      const failure = inWords(error, wordsOf(signInWords).codeFailed);
      if (!isOver(error)) throw failure;
      await startOver(failure.message);
    }
  };

  /** Work of the dialog that lists the sessions, which says what went wrong. */
  const run = async (work: () => Promise<void>, fallback: string): Promise<void> => {
    setBusy(true);
    setProblem(null);
    try {
      await work();
    } catch (error) {
      const text = inWordsAtSessions(error, fallback);
      if (isOver(error) || isWrongCode(error)) await startOver(text);
      else setProblem(text);
    } finally {
      setBusy(false);
    }
  };

  const again = async (): Promise<void> => {
    if (waiting?.kind === 'sessions') await take(await waiting.again(), waiting.again);
  };
  const retry = () => run(again, wordsOf(signInWords).failed);

  const endAndRetry = async (sessionIds: string[]): Promise<void> => {
    if (waiting?.kind !== 'sessions') return;
    const t = wordsOf(signInWords);
    let isEnded = false;
    await run(
      async () => {
        await endSessions(waiting.token, sessionIds);
        isEnded = true;
      },
      sessionIds.length > 1 ? t.endAllFailed : t.endOneFailed,
    );
    if (isEnded) await retry();
  };

  const cancel = async (): Promise<void> => {
    setWaiting(null);
    setProblem(null);
    if (waiting?.kind === 'sessions') await abandonSignIn(waiting.token);
    await startOver(null);
  };

  return { isBusy, problem, waiting, attempt, prove, endAndRetry, cancel, retry };
}
