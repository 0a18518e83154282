import { forgotPassword } from '@selvage/core/contracts/account';
import { getActiveSessions, logout } from '@selvage/core/contracts/auth';
import { setSignaturePreferences } from '@selvage/core/contracts/signatures';
import { listPasskeys, verifyOtp } from '@selvage/core/contracts/two-factor';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { api } from './api.ts';
import { noteAnswer, reach } from './connection.ts';
import { logOut } from './log-out.ts';
import { currentUserKey, queryClient } from './query-client.ts';
import { endSession, readTokens, sessionNotice, storeTokens } from './session.ts';

let made = 0;

function newToken({ version = 1, sub = '7' } = {}): string {
  made += 1;
  return ['h', btoa(JSON.stringify({ sub, tv: version, jti: made })), 's'].join('.');
}

function signIn(sub = '7'): string {
  const token = newToken({ sub });
  storeTokens({ token, refreshToken: 'first', expires_in: 900 });
  return token;
}

interface Server {
  /** Answers any call except a renewal and the call that loads the person. */
  answer: (token: string) => Response | Promise<Response>;
  version?: number;
}

const asked: string[] = [];
const json = (status: number, body: object) => new Response(JSON.stringify(body), { status });

function serve({ answer, version = 1 }: Server): void {
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    asked.push(url.replace('/api/v1', ''));
    const token = new Headers(init.headers).get('authorization')?.slice(7) ?? '';
    if (url.endsWith('/user/refresh')) return json(200, { success: true, token: newToken(), refreshToken: 'next' });
    if (url.endsWith('/user/info')) return json(200, { success: true, token_version: version, data: {} });
    return await answer(token);
  });
}

const refuse = () => json(401, { success: false, message: 'no', code: 'token_outdated' });
const list = () => json(200, { success: true, message: 'OK', data: [] });
const count = (path: string) => asked.filter((url) => url === path).length;

beforeEach(() => {
  localStorage.clear();
  asked.length = 0;
  noteAnswer(200);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  queryClient.clear();
});

describe('a call that is refused', () => {
  it('is repeated with a new token once the version of the person is verified', async () => {
    const old = signIn();
    serve({ answer: (token) => (token === old ? refuse() : list()) });
    expect(await api(getActiveSessions, {})).toEqual([]);
    expect(asked).toEqual(['/user/active_sessions', '/user/refresh', '/user/info', '/user/active_sessions']);
  });

  it('ends no session when many calls are refused at once', async () => {
    const old = signIn();
    serve({ answer: (token) => (token === old ? refuse() : list()) });
    await Promise.all(Array.from({ length: 8 }, () => api(listPasskeys, {})));
    expect(count('/user/refresh')).toBe(1);
    expect(readTokens()).not.toBeNull();
  });

  it('ends the session when the server knows the person by another version', async () => {
    signIn();
    serve({ answer: refuse, version: 2 });
    await expect(api(getActiveSessions, {})).rejects.toThrow('Session expired. Please log in again.');
    expect(readTokens()).toBeNull();
  });

  it('is given up after three retries', async () => {
    signIn();
    serve({ answer: refuse });
    await expect(api(getActiveSessions, {})).rejects.toThrow('Too many retries. Please log in again.');
    expect(count('/user/active_sessions')).toBe(4);
    expect(sessionNotice()?.text).toBe('Too many retries. Please log in again.');
    expect(readTokens()).toBeNull();
  });

  it('by a proxy is no matter of the session', async () => {
    signIn();
    serve({ answer: () => new Response('<h1>Authorization Required</h1>', { status: 401 }) });
    await expect(api(getActiveSessions, {})).rejects.toMatchObject({ status: 401 });
    expect(asked).toEqual(['/user/active_sessions']);
    expect(readTokens()).not.toBeNull();
  });

  it('is not repeated in the name of another person who logged in meanwhile', async () => {
    signIn('7');
    const tokens: string[] = [];
    let stranger = '';
    serve({
      answer: (token) => {
        tokens.push(token);
        endSession();
        stranger = signIn('8');
        return refuse();
      },
    });
    await expect(api(getActiveSessions, {})).rejects.toMatchObject({ code: 'session_expired' });
    expect(tokens).toHaveLength(1);
    expect(readTokens()?.token).toBe(stranger);
  });
});

describe('a call of one person', () => {
  it('is made in their name', async () => {
    signIn('7');
    serve({ answer: list });
    expect(await api(getActiveSessions, { as: '7' })).toEqual([]);
  });

  it('is not made in the name of another person who logged in before it began', async () => {
    signIn('8');
    serve({ answer: list });
    await expect(api(getActiveSessions, { as: '7' })).rejects.toMatchObject({ code: 'session_expired' });
    expect(asked).toEqual([]);
    expect(readTokens()).not.toBeNull();
  });
});

describe('an answer that comes when another person has logged in', () => {
  const answerLate = (): Response => {
    endSession();
    signIn('8');
    return list();
  };

  it('is not given to what would show it to that person', async () => {
    signIn('7');
    serve({ answer: answerLate });
    await expect(api(getActiveSessions, {})).rejects.toMatchObject({ code: 'session_expired' });
    expect(readTokens()).not.toBeNull();
  });

  it('is given to a caller who names the person and looks for that itself', async () => {
    signIn('7');
    serve({ answer: answerLate });
    expect(await api(getActiveSessions, { as: '7' })).toEqual([]);
  });
});

describe('a call whose token is renewed first', () => {
  const preferences = { signature_new_emails_use: null, signature_reply_forward_emails_use: null };
  /**
   * Logs a person in whose token is due, and another person while it is renewed. Returns the tokens
   * of the calls that are made.
   */
  const leaveDuringRenewal = (): string[] => {
    storeTokens({ token: newToken({ sub: '7' }), refreshToken: 'first', expires_in: 0 });
    const tokens: string[] = [];
    serve({
      answer: (token) => {
        tokens.push(token);
        return list();
      },
    });
    const answered = fetch;
    vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
      const answer = await answered(url, init);
      if (!url.endsWith('/user/refresh')) return answer;
      endSession();
      storeTokens({ token: newToken({ sub: '8' }), refreshToken: 'second', expires_in: 900 });
      return answer;
    });
    return tokens;
  };

  it('is not made in the name of another person who logs in meanwhile', async () => {
    const tokens = leaveDuringRenewal();
    const change = api(setSignaturePreferences, { body: preferences });
    await expect(change).rejects.toMatchObject({ code: 'session_expired' });
    expect(tokens).toEqual([]);
    expect(readTokens()?.refreshToken).toBe('second');
  });

  it('does not log that person out', async () => {
    const tokens = leaveDuringRenewal();
    await expect(api(logout, { body: {} })).rejects.toMatchObject({ code: 'session_expired' });
    expect(tokens).toEqual([]);
  });
});

describe('a call that the person may not make', () => {
  it.each(['forbidden', 'password_change_required'])('asks anew what they may do (%s)', async (code) => {
    signIn();
    queryClient.setQueryData(currentUserKey, {});
    serve({ answer: () => json(403, { success: false, message: 'no', code }) });
    await expect(api(getActiveSessions, {})).rejects.toMatchObject({ status: 403 });
    expect(queryClient.getQueryState(currentUserKey)?.isInvalidated).toBe(true);
  });

  it('says nothing about their rights where it is about something else', async () => {
    signIn();
    queryClient.setQueryData(currentUserKey, {});
    serve({ answer: () => json(403, { success: false, message: 'no', code: 'mailbox_inactive' }) });
    await expect(api(getActiveSessions, {})).rejects.toMatchObject({ status: 403 });
    expect(queryClient.getQueryState(currentUserKey)?.isInvalidated).toBe(false);
  });
});

describe('the second step of a login', () => {
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

describe('a call that finds no server', () => {
  const away = () => new Response('<h1>Bad gateway</h1>', { status: 502 });
  const preferences = { signature_new_emails_use: null, signature_reply_forward_emails_use: null };

  it('is made again when it only reads', async () => {
    vi.useFakeTimers();
    signIn();
    let failures = 1;
    serve({ answer: () => (failures-- > 0 ? away() : list()) });
    const answer = api(getActiveSessions, {});
    await vi.advanceTimersByTimeAsync(3_000);
    expect(await answer).toEqual([]);
    expect(count('/user/active_sessions')).toBe(2);
  });

  it('is made once when it changes something', async () => {
    signIn();
    serve({ answer: away });
    await expect(api(setSignaturePreferences, { body: preferences })).rejects.toMatchObject({ status: 502 });
    expect(asked).toHaveLength(1);
  });

  it.each([
    ['no connection', new TypeError('Failed to fetch'), 'unreachable'],
    ['no answer in time', new DOMException('', 'TimeoutError'), 'timeout'],
  ])('says with %s whether it may have been done', async (_name, failure, code) => {
    const lost = () => Promise.reject(failure);
    signIn();
    serve({ answer: lost });
    const change = api(setSignaturePreferences, { body: preferences });
    const message =
      'The server did not answer. Your change may have been made all the same: check before you try again.';
    await expect(change).rejects.toMatchObject({ message, code });
    // Known to be away, so that the next call is made once
    noteAnswer(0);
    const doneNowhere = { message: expect.stringMatching(/^The server .+ [Tt]ry again\.$/), code };
    await expect(api(getActiveSessions, {})).rejects.toMatchObject(doneNowhere);
    await expect(api(forgotPassword, { body: { email: 'a@mill.test' } })).rejects.toMatchObject(doneNowhere);
  });

  it('is not made again once the server is known to be away', async () => {
    signIn();
    serve({ answer: away });
    noteAnswer(0);
    noteAnswer(0);
    expect(reach.get()).toBe('away');
    await expect(api(getActiveSessions, {})).rejects.toMatchObject({ status: 502 });
    expect(asked).toHaveLength(1);
  });

  it('is given up as soon as it is taken back', async () => {
    vi.useFakeTimers();
    signIn();
    serve({ answer: away });
    const control = new AbortController();
    const answer = api(getActiveSessions, { signal: control.signal });
    answer.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(100);
    control.abort();
    await expect(answer).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('logging out', () => {
  it('tells the server, and says what there is to say', async () => {
    signIn();
    serve({ answer: () => json(200, { success: true, message: 'Logged out' }) });
    await logOut('The password was changed.');
    expect(asked).toEqual(['/user/logout']);
    expect(readTokens()).toBeNull();
    expect(sessionNotice()).toEqual({ text: 'The password was changed.', intent: 'success' });
  });

  it('waits no longer than three seconds for a server that does not answer', async () => {
    vi.useFakeTimers();
    signIn();
    serve({ answer: () => new Promise(() => undefined) });
    const done = logOut();
    await vi.advanceTimersByTimeAsync(3_000);
    await done;
    expect(readTokens()).toBeNull();
  });
});

describe('a server that is busy', () => {
  const busy = (code: string) => {
    const body = { success: false, message: 'Busy', code };
    return new Response(JSON.stringify(body), { status: 503, headers: { 'retry-after': '5' } });
  };

  it.each(['too_busy', 'too_much_at_once'])('is there and is asked again when it says so (%s)', async (code) => {
    vi.useFakeTimers();
    signIn();
    let answers = 0;
    serve({
      answer: () => {
        answers += 1;
        return answers < 3 ? busy(code) : list();
      },
    });
    const listed = api(getActiveSessions, {});
    await vi.advanceTimersByTimeAsync(4_900);
    expect(asked).toEqual(['/user/active_sessions']);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await listed).toEqual([]);
    expect(asked).toEqual(Array(3).fill('/user/active_sessions'));
    expect(reach.get()).toBe('up');
  });

  it('is asked three times at most', async () => {
    vi.useFakeTimers();
    signIn();
    serve({ answer: () => busy('too_busy') });
    const refused = api(getActiveSessions, {}).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await refused).toMatchObject({ code: 'too_busy' });
    expect(asked).toEqual(Array(3).fill('/user/active_sessions'));
    expect(reach.get()).toBe('up');
  });

  it.each(['timeout', 'postal_code_unavailable'])('is there and is not asked again after a %s', async (code) => {
    signIn();
    serve({ answer: () => busy(code) });
    await expect(api(getActiveSessions, {})).rejects.toMatchObject({ code });
    await expect(api(listPasskeys, {})).rejects.toMatchObject({ code });
    expect(asked).toEqual(['/user/active_sessions', listPasskeys.path]);
    expect(reach.get()).toBe('up');
  });

  it.each(['service_unavailable', 'unavailable'])('is away when it can not work (%s)', async (code) => {
    signIn();
    serve({ answer: () => busy(code) });
    await expect(api(getActiveSessions, {})).rejects.toMatchObject({ code });
    expect(reach.get()).toBe('away');
  });
});
