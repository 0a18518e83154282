import { afterEach, expect, it, vi } from 'vitest';
import { chooseTheme } from '../lib/choices.ts';
import { requestLogout } from '../lib/request-logout.ts';
import { readTokens, storeTokens } from '../lib/session.ts';
import { keepChoicesSaved } from './save-choices.ts';

const token = ['h', btoa(JSON.stringify({ sub: '7', tv: 1 })), 's'].join('.');

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
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
