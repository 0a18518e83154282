import { screen, waitFor } from '@testing-library/react';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { wordsOf } from '../../lib/i18n.ts';
import { show } from '../../test/render.tsx';
import { captchaWords } from '../../words/captcha.ts';
import { secondFactorWords } from '../../words/second-factor.ts';
import { sessionLimitWords } from '../../words/session-limit.ts';
import { signInWords } from '../../words/sign-in.ts';
import SignInPage from './SignInPage.tsx';

type Step = 'login' | 'verify_otp' | 'sign_in_options';

/** The next answers of the server to each step of a login, with their status. */
let answers: Record<Step, [status: number, body: object][]>;
const asked: string[] = [];

const session = {
  session_id: 'a'.repeat(32),
  device_ip: '192.0.2.1',
  user_agent: 'Firefox',
  login_time: '2026-11-01T10:00:00.000Z',
  last_active: '2026-11-01T10:00:00.000Z',
  token_version: 1,
};
const limitReached = { success: false, device_limit_reached: true, token: 'x', active_sessions: [session] };
const over = { success: false, code: 'sign_in_again', message: 'Please log in again.' };

// The dialogs come with much of Fluent, which takes its time
beforeAll(() => import('../../components/dialog/DialogFrame.tsx'), 60_000);
beforeEach(() => {
  asked.length = 0;
  answers = { login: [], verify_otp: [], sign_in_options: [] };
  vi.stubGlobal('PublicKeyCredential', vi.fn());
  vi.stubGlobal('fetch', async (url: string) => {
    if (url.endsWith('/captcha')) return Response.json({ success: true, svg: '<svg/>', captcha_token: 'letters' });
    const step = url.split('/').at(-1) as Step;
    asked.push(step);
    const [status, body] = answers[step].shift() ?? [500, {}];
    return Response.json(body, { status });
  });
});

async function logIn() {
  const t = wordsOf(signInWords);
  const { person } = show(<SignInPage />);
  await person.type(screen.getByLabelText(t.email, { exact: false }), 'ana@remote.test');
  await person.type(screen.getByLabelText(t.password, { selector: 'input', exact: false }), 'her password');
  await person.type(screen.getByLabelText(wordsOf(captchaWords).letters, { exact: false }), 'abcde');
  await person.click(screen.getByRole('button', { name: t.submit }));
  return person;
}

it('leads back to the form when the login is over before the browser asks for a passkey', async () => {
  answers.login = [[200, { success: true, otpRequired: true, second_factors: ['passkey'] }]];
  answers.sign_in_options = [[401, over]];
  const person = await logIn();
  await person.click(await screen.findByRole('button', { name: wordsOf(secondFactorWords).passkeySubmit }));
  expect(await screen.findByText(over.message)).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(asked).toEqual(['login', 'sign_in_options']);
});

it('asks for a new login when the second factor no longer counts at the session limit', async () => {
  answers.login = [[200, { success: true, otpRequired: true, second_factors: ['totp'] }]];
  answers.verify_otp = [
    [200, limitReached],
    [401, { success: false, code: 'wrong_code', message: 'Invalid OTP. Please try again.' }],
  ];
  const person = await logIn();
  await person.type(await screen.findByLabelText(wordsOf(secondFactorWords).code, { exact: false }), '123456');
  await person.click(await screen.findByRole('button', { name: wordsOf(sessionLimitWords).retry }));
  expect(await screen.findByText(wordsOf(signInWords).factorAgain)).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(asked).toEqual(['login', 'verify_otp', 'verify_otp']);
});
