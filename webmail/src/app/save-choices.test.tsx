import { afterEach, expect, it, vi } from 'vitest';
import { chooseTheme } from '../lib/choices.ts';
import { furtherStorageKeys } from '../lib/further-storage-keys.ts';
import { requestLogout } from '../lib/request-logout.ts';
import { readTokens, storeTokens } from '../lib/session.ts';
import { keepChoicesSaved } from './save-choices.ts';

const tokenOf = (sub: string): string => ['h', btoa(JSON.stringify({ sub, tv: 1 })), 's'].join('.');
const token = tokenOf('7');

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it('keeps the choices of a person out of the session of the next one', async () => {
  vi.useFakeTimers();
  const answer = Promise.withResolvers<Response>();
  const fetched = vi.fn(() => answer.promise);
  vi.stubGlobal('fetch', fetched);
  storeTokens({ token, refreshToken: 'r', expires_in: 900 });
  const stop = keepChoicesSaved();
  chooseTheme('light');
  await vi.advanceTimersByTimeAsync(1_500);
  expect(fetched).toHaveBeenCalledOnce();
  localStorage.removeItem(furtherStorageKeys.choices);
  storeTokens({ token: tokenOf('8'), refreshToken: 'r', expires_in: 900 });
  answer.resolve(Response.json({ success: true, message: '', data: { theme: 'light' } }));
  await vi.advanceTimersByTimeAsync(100);
  expect(localStorage.getItem(furtherStorageKeys.choices)).toBeNull();
  stop();
});

it('lets a person log out who has just chosen something, though the server does not answer', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  storeTokens({ token, refreshToken: 'r', expires_in: 900 });
  const stop = keepChoicesSaved();
  chooseTheme('dark');
  const leaving = requestLogout();
  await vi.advanceTimersByTimeAsync(6_500);
  await leaving;
  expect(readTokens()).toBeNull();
  stop();
});
