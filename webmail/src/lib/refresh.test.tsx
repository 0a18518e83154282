import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from './api-error.ts';
import { noteAnswer } from './connection.ts';
import { freshToken, keepFresh } from './refresh.ts';
import { endSession, obscure, readTokens, reveal, sessionNotice, storeTokens } from './session.ts';

const DAY_MS = 86_400_000;
const EXPIRED = 'Session expired. Please log in again.';
let made = 0;

function newToken(version = 1): string {
  made += 1;
  return ['h', btoa(JSON.stringify({ sub: '7', tv: version, jti: made })), 's'].join('.');
}

const answer = (status: number, body: object) => new Response(JSON.stringify(body), { status });
const page = (status: number) => new Response('<html>Sign in to the guest network</html>', { status });

/** Keeps a token that is `seconds` old. */
function keepAged(seconds: number): string {
  const token = newToken();
  storeTokens({ token, refreshToken: `r${made}`, expires_in: 900 });
  vi.advanceTimersByTime(seconds * 1000);
  return token;
}

type Exchange = (refreshToken: string) => Response | Promise<Response>;
let exchanges: string[] = [];

/** Plays the server's side of an exchange. */
function serve(exchange: Exchange, version = 1): void {
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    if (url.endsWith('/user/info')) return answer(200, { success: true, token_version: version });
    if (!url.endsWith('/user/refresh')) return answer(200, { ok: true });
    const { refreshToken } = JSON.parse(String(init.body)) as { refreshToken: string };
    exchanges.push(refreshToken);
    return await exchange(refreshToken);
  });
}

const renewed: Exchange = () =>
  answer(200, { success: true, token: newToken(), refreshToken: `r${made}`, expires_in: 900 });
const over = (code: string) => answer(401, { success: false, message: 'no', code });

/** Another tab has the lock when this one first asks for it, and then releases it. */
function holdLockElsewhere(): void {
  const request = (_name: string, { ifAvailable }: LockOptions, work: LockGrantedCallback<unknown>) =>
    Promise.resolve(work(ifAvailable ? null : { name: 'x', mode: 'exclusive' }));
  Object.defineProperty(navigator, 'locks', { value: { request }, configurable: true });
}

/** Lets the pauses between attempts pass. */
async function settled<T>(work: Promise<T>, milliseconds = 3_000): Promise<PromiseSettledResult<T>> {
  const result = Promise.allSettled([work]);
  await vi.advanceTimersByTimeAsync(milliseconds);
  return (await result)[0];
}

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
  let last: Promise<unknown> = Promise.resolve();
  const request = (_name: string, _options: object, work: (lock: object) => Promise<unknown>): Promise<unknown> => {
    const begin = () => work({});
    last = last.then(begin, begin);
    return last;
  };
  Object.defineProperty(navigator, 'locks', { value: { request }, configurable: true });
  exchanges = [];
  noteAnswer(200);
  // Failures of earlier tests are forgotten by then
  vi.advanceTimersByTime(60_000);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  Reflect.deleteProperty(navigator, 'locks');
});

describe('stored tokens', () => {
  it('come back as they were and are not readable at a glance', () => {
    const tokens = { token: 'aaa', refreshToken: 'bbb', expires_in: 900, at: 12 };
    expect(obscure(tokens)).not.toContain('aaa');
    expect(reveal(obscure(tokens))).toEqual(tokens);
    expect(reveal('rubbish')).toBeNull();
  });

  it('go with all that is kept of the person, and leave what is about the device', () => {
    const device = ['selvage.theme', 'selvage.density', 'selvage.navigation', 'selvage.page-sizes'];
    for (const key of [...device, 'selvage.drafts', 'other']) localStorage.setItem(key, 'x');
    keepAged(0);
    sessionStorage.setItem('x', 'x');
    endSession();
    expect(Object.keys(localStorage).toSorted()).toEqual(device.toSorted());
    expect(Object.keys(sessionStorage)).toEqual([]);
  });
});

describe('freshToken', () => {
  it('asks for nothing while the token is good for more than five minutes', async () => {
    serve(renewed);
    const token = keepAged(590);
    expect(await freshToken()).toBe(token);
    expect(exchanges).toEqual([]);
  });

  it('renews once for all that ask at the same time', async () => {
    serve(renewed);
    const old = keepAged(610);
    const tokens = await Promise.all([freshToken(), freshToken(), freshToken()]);
    expect(new Set(tokens).size).toBe(1);
    expect(tokens[0]).not.toBe(old);
    expect(exchanges).toHaveLength(1);
    expect(readTokens()?.token).toBe(tokens[0]);
  });

  it.each(['refresh_token_invalid', 'session_ended', 'account_unusable'])('ends the session for %s', async (code) => {
    serve(() => over(code));
    keepAged(610);
    const { status, reason } = (await settled(freshToken())) as PromiseRejectedResult;
    expect([status, (reason as Error).message]).toEqual(['rejected', EXPIRED]);
    expect(readTokens()).toBeNull();
    expect(sessionNotice()?.text).toBe(EXPIRED);
  });

  const harmless: [string, Exchange][] = [
    ['the server’s own time-out', () => answer(408, { success: false, message: 'slow', code: 'request_timeout' })],
    ['a proxy’s page with 400', () => page(400)],
    ['a proxy’s page with 401', () => page(401)],
    ['a proxy’s page with 403', () => page(403)],
    ['a proxy’s page with 404', () => page(404)],
    ['a body that is too large for a proxy', () => page(413)],
    ['too many requests', () => answer(429, { success: false, code: 'too_many_requests' })],
    ['a guest network’s page with 200', () => page(200)],
    ['a proxy without a server', () => page(502)],
    ['a proxy that has waited long enough', () => page(504)],
    ['a server that is busy', () => answer(503, { success: false, message: 'away' })],
    ['a line that is down', () => Promise.reject(new TypeError('network'))],
  ];

  it.each(harmless)('leaves the session as it is for %s, and goes on with the token', async (_what, exchange) => {
    serve(exchange);
    const token = keepAged(610);
    expect(await settled(freshToken())).toEqual({ status: 'fulfilled', value: token });
    expect(readTokens()?.token).toBe(token);
    // It does not ask again at each of the next calls
    const asked = exchanges.length;
    expect(await freshToken()).toBe(token);
    expect(exchanges).toHaveLength(asked);
  });

  it.each(harmless)(
    'fails for a token that the server refused, and keeps the session, for %s',
    async (_what, exchange) => {
      serve(exchange);
      const token = keepAged(1);
      const { status, reason } = (await settled(freshToken(token))) as PromiseRejectedResult;
      expect(status).toBe('rejected');
      expect(reason).toBeInstanceOf(ApiError);
      expect([401, 403]).not.toContain((reason as ApiError).status);
      expect(readTokens()?.token).toBe(token);
    },
  );

  it.each([408, 500, 502, 503, 504])('asks again soon after a %d', async (status) => {
    const answers = [() => page(status), renewed];
    serve((refreshToken) => (answers.shift() ?? renewed)(refreshToken));
    const old = keepAged(610);
    const { status: outcome } = await settled(freshToken());
    expect([outcome, exchanges.length]).toEqual(['fulfilled', 2]);
    expect(readTokens()?.token).not.toBe(old);
  });

  it('asks at most twice a minute, however short a life the server gives', async () => {
    serve(() => answer(200, { success: true, token: newToken(), refreshToken: `r${made}`, expires_in: 1 }));
    keepAged(610);
    const stop = keepFresh();
    await vi.advanceTimersByTimeAsync(600_000);
    stop();
    expect(exchanges.length).toBeGreaterThan(5);
    expect(exchanges.length).toBeLessThanOrEqual(20);
  });

  it('asks again for an answer that was lost on its way, within the time in which the server repeats it', async () => {
    const began = performance.now();
    const times: number[] = [];
    serve((refreshToken) => {
      times.push(performance.now() - began);
      if (times.length < 3) return new Promise(() => undefined);
      return answer(200, { success: true, token: newToken(), refreshToken: `${refreshToken}+`, expires_in: 900 });
    });
    // AbortSignal.timeout uses a clock that fake timers do not move
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
      const control = new AbortController();
      setTimeout(() => control.abort(new DOMException('late', 'TimeoutError')), milliseconds);
      return control.signal;
    });
    const { fetch } = globalThis;
    vi.stubGlobal('fetch', (url: string, init: RequestInit) =>
      Promise.race([
        fetch(url, init),
        new Promise((_resolve, reject) => init.signal?.addEventListener('abort', () => reject(init.signal?.reason))),
      ]),
    );
    const old = keepAged(610);
    const start = performance.now() - began;
    expect((await settled(freshToken(), 30_000)).status).toBe('fulfilled');
    expect(readTokens()?.token).not.toBe(old);
    expect(new Set(exchanges).size).toBe(1);
    expect(times).toHaveLength(3);
    expect((times[2] ?? 0) - start).toBeLessThan(25_000);
  });

  it('brings no session back that was ended while the answer was on its way', async () => {
    const reply = Promise.withResolvers<Response>();
    serve(() => reply.promise);
    keepAged(610);
    const asked = freshToken();
    asked.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(10);
    endSession();
    reply.resolve(await renewed(''));
    await expect(asked).rejects.toThrow(EXPIRED);
    expect(readTokens()).toBeNull();
  });
});

describe('a renewal by another tab', () => {
  it('serves this one, also where it is seen a moment after the lock is free', async () => {
    holdLockElsewhere();
    serve(renewed);
    const stale = keepAged(1);
    const asked = freshToken(stale);
    await vi.advanceTimersByTimeAsync(100);
    const theirs = keepAged(0);
    expect(await asked).toBe(theirs);
    expect(exchanges).toEqual([]);
  });

  it('that came to nothing is made up for by this one', async () => {
    holdLockElsewhere();
    serve(renewed);
    const stale = keepAged(1);
    const { status } = await settled(freshToken(stale));
    expect(status).toBe('fulfilled');
    expect(exchanges).toHaveLength(1);
  });

  it('counts, whatever the answer to this one says', async () => {
    const reply = Promise.withResolvers<Response>();
    serve(() => reply.promise);
    keepAged(610);
    const asked = freshToken();
    await vi.advanceTimersByTimeAsync(10);
    const theirs = keepAged(0);
    reply.resolve(over('refresh_token_invalid'));
    expect(await asked).toBe(theirs);
    expect(readTokens()?.token).toBe(theirs);
  });
});

describe('a person who was changed', () => {
  it('is asked for once more when the version rose between two answers', async () => {
    const versions = [2, 3];
    const token = () => newToken(versions.shift());
    serve(() => answer(200, { success: true, token: token(), refreshToken: `r${made}`, expires_in: 900 }), 3);
    const old = keepAged(1);
    expect(await freshToken(old)).toBe(readTokens()?.token);
    expect(exchanges).toHaveLength(2);
  });

  it('is another one when the version stays another', async () => {
    serve(renewed, 2);
    const old = keepAged(1);
    const { reason } = (await settled(freshToken(old))) as PromiseRejectedResult;
    expect((reason as Error).message).toBe(EXPIRED);
    expect(readTokens()).toBeNull();
  });
});

describe('a clock that is wrong', () => {
  it.each([-DAY_MS, 0, DAY_MS])('by %d ms costs one exchange for each life of a token', async (offset) => {
    serve(renewed);
    vi.setSystemTime(Date.now() + offset);
    keepAged(0);
    const stop = keepFresh();
    for (let minute = 0; minute < 60; minute += 1) {
      await vi.advanceTimersByTimeAsync(60_000);
      await freshToken();
    }
    stop();
    // 60 minutes, and each token is renewed after 10
    expect(exchanges).toHaveLength(6);
  });

  it.each([-DAY_MS, DAY_MS])(
    'and jumps by %d ms while the page is open costs at most one exchange more',
    async (jump) => {
      serve(renewed);
      keepAged(0);
      const stop = keepFresh();
      await vi.advanceTimersByTimeAsync(120_000);
      vi.setSystemTime(Date.now() + jump);
      document.dispatchEvent(new Event('visibilitychange'));
      for (let minute = 0; minute < 8; minute += 1) {
        await vi.advanceTimersByTimeAsync(60_000);
        await freshToken();
      }
      stop();
      expect(exchanges).toHaveLength(1);
    },
  );

  it('and was set back while no page was open costs one exchange', async () => {
    serve(renewed);
    storeTokens({ token: newToken(), refreshToken: 'r', expires_in: 900 });
    vi.setSystemTime(Date.now() - DAY_MS);
    await freshToken();
    await freshToken();
    expect(exchanges).toHaveLength(1);
  });

  it('does not make a device that slept for an hour go on with its old token', async () => {
    serve(renewed);
    const old = keepAged(1);
    await freshToken();
    // The page's own clock stood still
    vi.setSystemTime(Date.now() + 3_600_000);
    expect(await freshToken()).not.toBe(old);
    expect(exchanges).toHaveLength(1);
  });

  it('is no reason to hurry where the server cannot be reached', async () => {
    serve(renewed);
    keepAged(610);
    const asked = vi.fn((_url: string) => Promise.reject(new TypeError('network')));
    vi.stubGlobal('fetch', asked);
    const stop = keepFresh();
    await vi.advanceTimersByTimeAsync(300_000);
    stop();
    // Three attempts of one exchange. From then on only the probe asks, more and more slowly
    expect(asked.mock.calls.filter(([url]) => url.endsWith('/refresh'))).toHaveLength(3);
    expect(asked.mock.calls.length).toBeLessThan(20);
  });
});
