import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { freshToken } from './refresh.ts';
import { obscure, readTokens, reveal, sessionNotice, storeTokens } from './session.ts';

function tokenFor(seconds: number): string {
  return ['h', btoa(JSON.stringify({ sub: '7', exp: Math.floor(Date.now() / 1000) + seconds })), 's'].join('.');
}

function memoryStorage() {
  const values: Record<string, string> = {};
  const storage = { getItem: (key: string) => values[key] ?? null };
  return Object.defineProperties(values, {
    getItem: { value: storage.getItem },
    setItem: { value: (key: string, value: string) => Object.assign(values, { [key]: value }) },
    removeItem: { value: (key: string) => Reflect.deleteProperty(values, key) },
  });
}

const answer = (status: number, body: object) => new Response(JSON.stringify(body), { status });

beforeEach(() => {
  vi.stubGlobal('localStorage', memoryStorage());
  vi.stubGlobal('window', globalThis);
});
afterEach(() => vi.unstubAllGlobals());

describe('stored tokens', () => {
  it('come back as they were and are not readable at a glance', () => {
    const tokens = { token: 'aaa', refreshToken: 'bbb' };
    expect(obscure(tokens)).not.toContain('aaa');
    expect(reveal(obscure(tokens))).toEqual(tokens);
    expect(reveal('rubbish')).toBeNull();
  });
});

describe('freshToken', () => {
  it('asks nobody while the token is good for more than five minutes', async () => {
    const call = vi.fn();
    vi.stubGlobal('fetch', call);
    const token = tokenFor(600);
    storeTokens({ token, refreshToken: 'r1' });
    expect(await freshToken()).toBe(token);
    expect(call).not.toHaveBeenCalled();
  });

  it('renews once for all who ask at the same time', async () => {
    const next = tokenFor(900);
    const call = vi.fn(async () => answer(200, { success: true, token: next, refreshToken: 'r2' }));
    vi.stubGlobal('fetch', call);
    storeTokens({ token: tokenFor(100), refreshToken: 'r1' });
    expect(await Promise.all([freshToken(), freshToken(), freshToken()])).toEqual([next, next, next]);
    expect(call).toHaveBeenCalledOnce();
    expect(readTokens()?.refreshToken).toBe('r2');
  });

  it('ends the session when the server refuses to renew', async () => {
    vi.stubGlobal('fetch', async () => answer(401, { success: false, message: 'no' }));
    storeTokens({ token: tokenFor(100), refreshToken: 'r1' });
    await expect(freshToken()).rejects.toThrow('Session expired. Please log in again.');
    expect(readTokens()).toBeNull();
    expect(sessionNotice()?.text).toBe('Session expired. Please log in again.');
  });

  it('goes on with a token that still works while the server is away', async () => {
    vi.stubGlobal('fetch', async () => answer(503, { success: false, message: 'away' }));
    const token = tokenFor(100);
    storeTokens({ token, refreshToken: 'r1' });
    expect(await freshToken()).toBe(token);
  });
});
