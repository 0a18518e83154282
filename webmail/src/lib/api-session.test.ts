import { getActiveSessions } from '@selvage/core/contracts/auth';
import { listPasskeys, verifyOtp } from '@selvage/core/contracts/two-factor';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { api } from './api.ts';
import { readTokens, sessionNotice, storeTokens } from './session.ts';

let made = 0;

function newToken(version = 1): string {
  made += 1;
  const claims = { sub: '7', tv: version, jti: made, exp: Math.floor(Date.now() / 1000) + 900 };
  return ['h', btoa(JSON.stringify(claims)), 's'].join('.');
}

function memoryStorage() {
  const values: Record<string, string> = {};
  return Object.defineProperties(values, {
    getItem: { value: (key: string) => values[key] ?? null },
    setItem: { value: (key: string, value: string) => Object.assign(values, { [key]: value }) },
    removeItem: { value: (key: string) => Reflect.deleteProperty(values, key) },
  });
}

interface Server {
  /** Answers a call that is neither a renewal nor the question for the person. */
  answer: (token: string) => Response;
  version?: number;
}

const asked: string[] = [];
const json = (status: number, body: object) => new Response(JSON.stringify(body), { status });

function serve({ answer, version = 1 }: Server): void {
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    asked.push(url.replace('/api/v1', ''));
    const token = new Headers(init.headers).get('authorization')?.slice(7) ?? '';
    if (url.endsWith('/user/refresh')) return json(200, { success: true, token: newToken(1), refreshToken: 'next' });
    if (url.endsWith('/user/info')) return json(200, { success: true, token_version: version, data: {} });
    return answer(token);
  });
}

const refuse = () => json(401, { success: false, message: 'no', code: 'token_outdated' });
const list = () => json(200, { success: true, message: 'OK', data: [] });
const count = (path: string) => asked.filter((url) => url === path).length;

beforeEach(() => {
  vi.stubGlobal('localStorage', memoryStorage());
  vi.stubGlobal('window', globalThis);
  asked.length = 0;
});
afterEach(() => vi.unstubAllGlobals());

describe('a call that is refused', () => {
  it('is repeated with a new token once the version of the person is verified', async () => {
    const old = newToken();
    storeTokens({ token: old, refreshToken: 'first' });
    serve({ answer: (token) => (token === old ? refuse() : list()) });
    expect(await api(getActiveSessions, {})).toEqual([]);
    expect(asked).toEqual(['/user/active_sessions', '/user/refresh', '/user/info', '/user/active_sessions']);
  });

  it('is no reason to log anybody out when many calls are refused at once', async () => {
    const old = newToken();
    storeTokens({ token: old, refreshToken: 'first' });
    serve({ answer: (token) => (token === old ? refuse() : list()) });
    await Promise.all(Array.from({ length: 8 }, () => api(listPasskeys, {})));
    expect(count('/user/refresh')).toBe(1);
    expect(readTokens()).not.toBeNull();
  });

  it('ends the session when the server knows the person by another version', async () => {
    storeTokens({ token: newToken(), refreshToken: 'first' });
    serve({ answer: refuse, version: 2 });
    await expect(api(getActiveSessions, {})).rejects.toThrow('Session expired. Please log in again.');
    expect(readTokens()).toBeNull();
  });

  it('is given up after three retries', async () => {
    storeTokens({ token: newToken(), refreshToken: 'first' });
    serve({ answer: refuse });
    await expect(api(getActiveSessions, {})).rejects.toThrow('Too many retries. Please log in again.');
    expect(count('/user/active_sessions')).toBe(4);
    expect(sessionNotice()?.text).toBe('Too many retries. Please log in again.');
    expect(readTokens()).toBeNull();
  });
});

describe('the second step of a sign-in', () => {
  it('goes without a token, and a wrong code ends nothing', async () => {
    const tokens: string[] = [];
    serve({
      answer: (token) => {
        tokens.push(token);
        return json(401, { success: false, message: 'Invalid OTP. Please try again.', code: 'wrong_code' });
      },
    });
    await expect(api(verifyOtp, { body: { otp: '000000' } })).rejects.toThrow('Invalid OTP. Please try again.');
    expect(tokens).toEqual(['']);
  });
});
