import { getCaptcha, login, logout } from '@selvage/core/contracts/auth';
import { encodePassword } from '@selvage/core/contracts/encode-password';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

const CAPTCHA_RENEWAL_MS = 300_000;

export const captchaQuery = queryOptions({
  queryKey: ['captcha'],
  queryFn: ({ signal }) => api(getCaptcha, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
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

/** A repeated sign-in (after ending a session) goes without a captcha: the server remembers that it was right. */
export function signIn({ email, password }: Credentials, captcha?: CaptchaAnswer) {
  return api(login, { body: { email: email.trim(), password: encodePassword(password), ...captcha } });
}

export function endSessions(token: string, sessionIds: string[]) {
  return api(logout, { body: { session_ids: sessionIds }, token });
}

/** Gives up a sign-in that waits for its second step. */
export async function abandonSignIn(token: string): Promise<void> {
  // it runs out by itself within minutes, so a failure here changes nothing for anybody
  await api(logout, { body: {}, token }).catch(() => undefined);
}
