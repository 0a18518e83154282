import { createHmac, randomBytes } from 'node:crypto';
import { networkOf } from '@selvage/core/access/network-of';
import { sessionOverCodes } from '@selvage/core/contracts/auth';
import { AuditEvent } from '@selvage/core/models/audit-event';
import { Session } from '@selvage/core/models/session';
import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { type Answer, startTestServer, type TestServer } from '../test-server.ts';
import { rules } from './throttle.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ environment: { TRUSTED_PROXIES: '1' } });
});

interface SignedIn {
  token: string;
  refreshToken: string;
  sessionKey: string;
}

async function signIn(given?: Mailbox): Promise<SignedIn> {
  const { user, password } = given ?? (await buildMailbox(server.app));
  const tokens = await server.signIn(user.email, password);
  return { ...tokens, sessionKey: tokens.refreshToken.split('.')[0] ?? '' };
}

const refresh = (refreshToken: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  server.call('POST', '/user/refresh', { body: { refreshToken }, headers });
const next = (answer: Answer): string => String(answer.body['refreshToken']);
const isOpen = async (token: string): Promise<boolean> =>
  (await server.call('GET', '/user/info', { token })).status === 200;

/** Makes the last exchange of a session one of so many seconds ago. */
async function passSeconds(sessionKey: string, seconds: number): Promise<void> {
  const rotatedAt = new Date(Date.now() - seconds * 1000);
  const [moved] = await Session.update({ rotatedAt }, { where: { sessionKey } });
  expect(moved).toBe(1);
}

const reuses = (sessionKey: string): Promise<number> =>
  AuditEvent.count({
    where: { action: 'session:reuse-detected', details: { session: sessionKey.slice(0, 8) } as never },
  });

describe('exchanging a refresh token', () => {
  it('gives a new pair, good for as long as it says', async () => {
    const first = await signIn();
    const answer = await refresh(first.refreshToken);
    expect(answer.status).toBe(200);
    expect(next(answer)).not.toBe(first.refreshToken);
    const { iat = 0, exp = 0 } = decodeJwt(String(answer.body['token']));
    expect(answer.body['expires_in']).toBe(exp - iat);
    expect(await isOpen(String(answer.body['token']))).toBe(true);
  });

  it('gives the same pair again for 30 seconds, so that a lost answer costs nothing', async () => {
    const { refreshToken, sessionKey } = await signIn();
    const lost = await refresh(refreshToken);
    // The rest is for a busy machine
    await passSeconds(sessionKey, 20);
    const again = await refresh(refreshToken);
    expect(again.status).toBe(200);
    expect(next(again)).toBe(next(lost));
    expect(await isOpen(String(again.body['token']))).toBe(true);
    expect((await refresh(next(again))).status).toBe(200);
    expect(await reuses(sessionKey)).toBe(0);
  });

  it('gives all tabs that ask at once the same pair', async () => {
    const { refreshToken, sessionKey } = await signIn();
    const answers = await Promise.all(Array.from({ length: 12 }, () => refresh(refreshToken)));
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
    expect(new Set(answers.map(next)).size).toBe(1);
    const later = await Promise.all([refresh(next(answers[0] as Answer)), refresh(next(answers[11] as Answer))]);
    expect(new Set(later.map(next)).size).toBe(1);
    expect(await reuses(sessionKey)).toBe(0);
  });

  it('keeps no token that could be read from the database', async () => {
    const { refreshToken, sessionKey } = await signIn();
    const answer = await refresh(refreshToken);
    const row = JSON.stringify(await Session.findOne({ where: { sessionKey }, raw: true }));
    for (const token of [refreshToken, next(answer)]) {
      expect(row).not.toContain(token);
      expect(row).not.toContain(token.split('.')[1]);
    }
  });
});

describe('a stolen refresh token', () => {
  it('used after the 30 seconds ends the session of both, once and with a trace', async () => {
    const { refreshToken, sessionKey } = await signIn();
    const owner = await refresh(refreshToken);
    await passSeconds(sessionKey, 31);
    const thieves = await Promise.all([refresh(refreshToken), refresh(refreshToken)]);
    for (const thief of thieves) {
      expect(thief.status).toBe(401);
      expect(sessionOverCodes).toContain(thief.body['code']);
    }
    expect(await isOpen(String(owner.body['token']))).toBe(false);
    expect((await refresh(next(owner))).body).toMatchObject({ code: 'session_ended' });
    expect(await reuses(sessionKey)).toBe(1);
  });

  it('ends the session also when the clock was set back since the exchange', async () => {
    const { refreshToken, sessionKey } = await signIn();
    const owner = await refresh(refreshToken);
    await passSeconds(sessionKey, -3600);
    const thief = await refresh(refreshToken);
    expect([thief.status, thief.body['code']]).toEqual([401, 'refresh_token_invalid']);
    expect(await isOpen(String(owner.body['token']))).toBe(false);
    expect(await reuses(sessionKey)).toBe(1);
  });

  it('that is older than the previous one ends the session at once', async () => {
    const { refreshToken, sessionKey } = await signIn();
    const second = await refresh(refreshToken);
    const third = await refresh(next(second));
    expect((await refresh(refreshToken)).body).toMatchObject({ code: 'refresh_token_invalid' });
    expect(await isOpen(String(third.body['token']))).toBe(false);
    expect(await reuses(sessionKey)).toBe(1);
  });

  it('used within the 30 seconds is detected when both exchange their next token', async () => {
    const { refreshToken, sessionKey } = await signIn();
    const owner = await refresh(refreshToken);
    const thief = await refresh(refreshToken);
    expect(next(thief)).toBe(next(owner));
    const shadow = await refresh(next(thief));
    await passSeconds(sessionKey, 60);
    expect((await refresh(next(owner))).status).toBe(401);
    expect(await isOpen(String(shadow.body['token']))).toBe(false);
  });

  it('gives nothing of an ended session, also within the 30 seconds', async () => {
    const { refreshToken } = await signIn();
    const { body } = await refresh(refreshToken);
    await server.call('POST', '/user/logout', { token: String(body['token']) });
    for (const token of [refreshToken, String(body['refreshToken'])]) {
      const answer = await refresh(token);
      expect([answer.status, answer.body['code']]).toEqual([401, 'session_ended']);
    }
  });

  it('cannot be derived from a session key, another token or another key, and such guesses end no session', async () => {
    const { token, refreshToken, sessionKey } = await signIn();
    const [, secret = '', mac = ''] = refreshToken.split('.');
    const other = await signIn();
    const forge = (content: string) =>
      `${content}.${createHmac('sha256', randomBytes(32)).update(content).digest('base64url')}`;
    const guesses = [
      '',
      'nonsense',
      sessionKey,
      `${sessionKey}.AAAA.BBBB`,
      `${sessionKey}.${secret}.`,
      `${sessionKey}.${secret}.${mac}x`,
      `${sessionKey}.${secret}A.${mac}`,
      `${other.sessionKey}.${secret}.${mac}`,
      `${sessionKey}.${other.refreshToken.split('.').slice(1).join('.')}`,
      forge(`${sessionKey}.${secret}`),
      forge(`${sessionKey}.${randomBytes(32).toString('base64url')}`),
      `${refreshToken}.${mac}`,
      'x'.repeat(10_000),
    ];
    for (const guess of guesses) {
      const answer = await refresh(guess);
      expect([guess, answer.status, answer.body['code']]).toEqual([guess, 401, 'refresh_token_invalid']);
    }
    expect(await isOpen(token)).toBe(true);
    expect((await refresh(refreshToken)).status).toBe(200);
  });
});

/** Counts as many invented tokens from a network as it may send. */
async function useUp(address: string): Promise<void> {
  const { name, limit, windowSeconds } = rules.inventedRefresh;
  await server.app.redis.set(`rate:${name}:${networkOf(address)}`, limit, 'EX', windowSeconds);
}

describe('refreshing from one network', () => {
  it('is not counted, so that a whole office can do it', async () => {
    const { refreshToken } = await signIn();
    await refresh(refreshToken, { 'x-forwarded-for': '203.0.113.33' });
    expect(await server.app.redis.keys(`rate:*${networkOf('203.0.113.33')}`)).toEqual([]);
  });

  it('goes on while a neighbour is refused for inventing tokens', async () => {
    const { refreshToken } = await signIn();
    await useUp('198.51.100.7');
    expect((await refresh('invented', { 'x-forwarded-for': '198.51.100.7' })).status).toBe(429);
    expect((await refresh(refreshToken, { 'x-forwarded-for': '198.51.100.200' })).status).toBe(200);
  });
});

describe('the answer of a refresh', () => {
  it('says that the session is over only with a code that says so', async () => {
    const { refreshToken } = await signIn();
    const post = (body: string, type = 'application/json') =>
      server.call('POST', '/user/refresh', { body, headers: { 'content-type': type } });
    const network = { 'x-forwarded-for': '192.0.2.9' };
    await useUp('192.0.2.9');
    const others = [
      await post('{"refreshToken":'),
      await post('refreshToken=x', 'application/x-www-form-urlencoded'),
      await post(JSON.stringify({ refreshToken: 'x'.repeat(1_100_000) })),
      await refresh(undefined),
      await refresh(17),
      await refresh('invented', network),
    ];
    expect(others.map(({ status }) => status)).toEqual([400, 415, 413, 422, 422, 429]);
    for (const { body } of others) expect(sessionOverCodes).not.toContain(body['code']);
    expect((await refresh(refreshToken)).status).toBe(200);
  });

  it('tells a person whose account can no longer be used that the session is over', async () => {
    const leaver = await buildMailbox(server.app);
    const { refreshToken } = await signIn(leaver);
    await leaver.user.update({ activeStatus: false });
    expect((await refresh(refreshToken)).body).toMatchObject({ code: 'account_unusable' });
    expect(sessionOverCodes).toContain('account_unusable');
  });
});

describe('a login', () => {
  it('says for how long its token is good, so that no clock has to be right', async () => {
    const busy = await buildMailbox(server.app);
    const body = { email: busy.user.email, password: btoa(busy.password) };
    const logIn = async () =>
      (await server.call('POST', '/user/login', { body: { ...body, ...(await server.captcha()) } })).body;
    const lifetime = (token: unknown) => {
      const { iat = 0, exp = 0 } = decodeJwt(String(token));
      return exp - iat;
    };
    let answer = await logIn();
    expect(answer['expires_in']).toBe(lifetime(answer['token']));
    while (!answer['device_limit_reached']) answer = await logIn();
    expect(answer['expires_in']).toBe(lifetime(answer['token']));
  });
});
