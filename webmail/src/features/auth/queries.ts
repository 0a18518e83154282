import { forgotPassword } from '@selvage/core/contracts/account';
import { getCaptcha, login, logout, type SignInAnswer } from '@selvage/core/contracts/auth';
import { encodePassword } from '@selvage/core/contracts/encode-password';
import {
  beginPasskeySignIn,
  sendRecoveryOtp,
  verifyOtp,
  verifyPasskey,
  verifyRecoveryOtp,
} from '@selvage/core/contracts/two-factor';
import { queryOptions } from '@tanstack/react-query';
import { api, apiMessage } from '../../lib/api.ts';
import { askPasskey } from '../../lib/ask-passkey.ts';

const CAPTCHA_RENEWAL_MS = 300_000;

export const captchaQuery = queryOptions({
  queryKey: ['captcha'],
  queryFn: ({ signal }) => api(getCaptcha, { signal }),
  // A machine that slept lets no timer run: then it is renewed when the person comes back to the
  // page
  staleTime: CAPTCHA_RENEWAL_MS,
  gcTime: 0,
  refetchInterval: CAPTCHA_RENEWAL_MS,
  refetchIntervalInBackground: true,
});

export interface Credentials {
  email: string;
  password: string;
}

export interface CaptchaAnswer {
  captcha_text: string;
  captcha_token: string;
}

/** A step of a login, ready to be made again after the session limit was met. */
export type Step = () => Promise<SignInAnswer>;

/**
 * A repeated login (after ending a session) goes without a captcha: the server remembers that it
 * was right.
 */
export function signIn({ email, password }: Credentials, captcha?: CaptchaAnswer): Promise<SignInAnswer> {
  return api(login, { body: { email: email.trim(), password: encodePassword(password), ...captcha } });
}

export function proveByApp(email: string, otp: string): Promise<SignInAnswer> {
  return api(verifyOtp, { body: { email: email.trim(), otp } });
}

export function proveByRecoveryCode(email: string, code: string): Promise<SignInAnswer> {
  return api(verifyOtp, { body: { email: email.trim(), recovery_code: code } });
}

export async function mailRecoveryCode(): Promise<void> {
  await api(sendRecoveryOtp, { body: {} });
}

export function proveByMail(otp: string): Promise<SignInAnswer> {
  return api(verifyRecoveryOtp, { body: { otp } });
}

/**
 * Asks the person for their passkey; gives the step that shows the answer to the server. Without an
 * answer, the step fails as the question did: the login may be over, as after a proof.
 */
export async function askForPasskey(failed: string): Promise<Step> {
  try {
    const response = await askPasskey(() => api(beginPasskeySignIn, {}), failed);
    return () => api(verifyPasskey, { body: { response } });
  } catch (error) {
    return () => Promise.reject(error);
  }
}

export function endSessions(token: string, sessionIds: string[]) {
  return api(logout, { body: { session_ids: sessionIds }, token });
}

/** Gives up a login that waits for a free session. */
export async function abandonSignIn(token: string): Promise<void> {
  // It runs out by itself within minutes, so a failure here changes nothing
  await api(logout, { body: {}, token }).catch(() => undefined);
}

export function requestPasswordLink(email: string, captcha: CaptchaAnswer): Promise<string> {
  return apiMessage(forgotPassword, { body: { email: email.trim(), ...captcha } });
}
