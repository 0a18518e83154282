import { mostSessions, type SessionDto } from '@selvage/core/contracts/auth';
import { encodePassword } from '@selvage/core/contracts/fields';
import { AuditEvent } from '@selvage/core/models/audit-event';
import { Company } from '@selvage/core/models/company';
import { Session } from '@selvage/core/models/session';
import { User } from '@selvage/core/models/user';
import { needsRehash } from '@selvage/core/secrets/password-hash';
import { SignJWT, UnsecuredJWT } from 'jose';
import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { outdatedHash } from '../../../tests/support/outdated-hash.ts';
import { startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;
let person: Mailbox;

beforeAll(async () => {
  server = await startTestServer();
  person = await buildMailbox(server.app);
});

async function login(email: string, password: string, captcha?: object, headers: Record<string, string> = {}) {
  const body = { email, password: encodePassword(password), ...(captcha ?? (await server.captcha())) };
  return await server.call('POST', '/user/login', { body, headers });
}

describe('logging in', () => {
  it('gives tokens that open the account, and leaves an audit event', async () => {
    const { token } = await server.signIn(person.user.email, person.password);
    const info = await server.call('GET', '/user/info', { token });
    expect(info.status).toBe(200);
    expect(info.body['data']).toMatchObject({ email: person.user.email, role_id: { role_id: 2 } });
    expect(await AuditEvent.count({ where: { actorId: person.user.id, action: 'session:start' } })).toBe(1);
  });

  it('renews a password hash of an outdated cost, and ends no session for it', async () => {
    const { user } = await buildMailbox(server.app, { user: { passwordHash: outdatedHash('made long ago') } });
    expect((await login(user.email, 'made long ago')).status).toBe(200);
    const renewed = await User.findByPk(user.id, { rejectOnEmpty: true });
    expect(needsRehash(renewed.passwordHash)).toBe(false);
    expect(renewed).toMatchObject({ tokenVersion: user.tokenVersion, version: user.version });
    expect((await login(user.email, 'made long ago')).status).toBe(200);
  });

  it('answers an unknown address and a wrong password alike', async () => {
    const unknown = await login('nobody@nowhere.test', 'whatever it is');
    const wrong = await login(person.user.email, 'whatever it is');
    expect(unknown.status).toBe(401);
    expect(wrong.status).toBe(401);
    expect(unknown.body).toEqual(wrong.body);
  });

  it('speaks the letters of a captcha, which stays as good as it was', async () => {
    const captcha = await server.captcha();
    const speak = (token: string) => server.call('GET', `/captcha/sound?captcha_token=${token}`);
    const { status, body } = await speak(captcha.captcha_token);
    expect(status).toBe(200);
    const wav = Buffer.from(String(body.wav), 'base64');
    // Five pauses of 0.6 s alone are 24,000 samples
    expect(wav.subarray(0, 4).toString()).toBe('RIFF');
    expect(wav.length).toBeGreaterThan(24_000);
    expect((await login(person.user.email, person.password, captcha)).status).toBe(200);
    expect((await speak(captcha.captcha_token)).body.code).toBe('captcha_not_found');
    expect((await speak('x'.repeat(129))).status).toBe(422);
  });

  it('refuses a captcha that is wrong, missing or used before', async () => {
    const captcha = await server.captcha();
    expect((await login(person.user.email, person.password, {})).body.errors).toHaveProperty('captcha_text');
    expect((await login(person.user.email, 'wrong password', captcha)).status).toBe(401);
    const again = await login(person.user.email, person.password, captcha);
    expect(again.status).toBe(422);
    expect(again.body.errors).toHaveProperty('captcha_text');
  });

  it('tells of an inactive account only after the right password', async () => {
    const idle = await buildMailbox(server.app, { user: { activeStatus: false } });
    expect((await login(idle.user.email, 'wrong password')).status).toBe(401);
    expect((await login(idle.user.email, idle.password)).status).toBe(403);
  });

  it('slows down guesses at one account', async () => {
    const target = await buildMailbox(server.app);
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 11; attempt += 1) statuses.push((await login(target.user.email, 'guess')).status);
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(401));
    expect(statuses[10]).toBe(429);
  });

  it('at the session limit gives a token that can only list and end sessions, and needs no second captcha', async () => {
    const busy = await buildMailbox(server.app);
    for (let count = 0; count < server.app.config.sessionLimit; count += 1) {
      await server.signIn(busy.user.email, busy.password);
    }
    const refused = await login(busy.user.email, busy.password);
    expect(refused.body).toMatchObject({ success: false, device_limit_reached: true });
    expect(refused.body).not.toHaveProperty('refreshToken');
    const token = String(refused.body['token']);
    expect((await server.call('GET', '/user/info', { token })).status).toBe(401);
    const sessions = await server.call('GET', '/user/active_sessions', { token });
    const [first] = sessions.body.data as { session_id: string }[];
    const ended = await server.call('POST', '/user/logout', { token, body: { session_ids: [first?.session_id] } });
    expect(ended.status).toBe(200);
    const cookie = refused.headers.get('set-cookie')?.split(';')[0] ?? '';
    const retried = await login(busy.user.email, busy.password, {}, { cookie });
    expect(retried.body).toHaveProperty('refreshToken');
  });
});

describe('tokens', () => {
  it('refuses expired, forged, unsigned and foreign tokens', async () => {
    const { token } = await server.signIn(person.user.email, person.password);
    const claims = JSON.parse(atob(token.split('.')[1] ?? '')) as Record<string, unknown>;
    const sign = (payload: object, key: Uint8Array) =>
      new SignJWT({ ...payload }).setProtectedHeader({ alg: 'HS256' }).sign(key);
    const rightKey = server.app.secrets.key('access-token');
    const forged = [
      await sign({ ...claims, exp: Math.floor(Date.now() / 1000) - 1 }, rightKey),
      await sign(claims, Buffer.alloc(32, 1)),
      await sign({ ...claims, aud: 'another' }, rightKey),
      new UnsecuredJWT(claims).encode(),
      `${token.slice(0, -3)}AAA`,
      'nonsense',
    ];
    for (const bad of forged) expect((await server.call('GET', '/user/info', { token: bad })).status).toBe(401);
  });

  it('holds a changed permission, a deactivation and an inactive company from the next request on', async () => {
    const member = await buildMailbox(server.app);
    const { token } = await server.signIn(member.user.email, member.password);
    const status = async () => (await server.call('GET', '/user/info', { token })).status;
    expect(await status()).toBe(200);
    await Company.update({ activeStatus: false }, { where: { id: member.company.id } });
    expect(await status()).toBe(401);
    await Company.update({ activeStatus: true }, { where: { id: member.company.id } });
    expect(await status()).toBe(200);
    await User.increment('tokenVersion', { where: { id: member.user.id } });
    expect(await status()).toBe(401);
  });

  it('ends as many sessions at once as a person may be allowed', async () => {
    const busy = await buildMailbox(server.app);
    const { token } = await server.signIn(busy.user.email, busy.password);
    const key = () => randomBytes(16).toString('hex');
    const session = { companyId: busy.company.id, userId: busy.user.id, deviceIp: '', userAgent: '', tokenVersion: 0 };
    const times = { lastActive: new Date(), expiresAt: new Date(Date.now() + 60_000) };
    const others = Array.from({ length: mostSessions - 1 }, () => ({
      ...session,
      ...times,
      sessionKey: key(),
      refreshHash: key(),
    }));
    await Session.bulkCreate(others);
    const { data } = (await server.call('GET', '/user/active_sessions', { token })).body;
    const ids = (data as SessionDto[]).map(({ session_id: id }) => id);
    expect(ids.length).toBe(mostSessions);
    const end = (sessions: string[]) => server.call('POST', '/user/logout', { token, body: { session_ids: sessions } });
    expect((await end([...ids, key()])).status).toBe(422);
    expect((await end(ids)).status).toBe(200);
    expect((await server.call('GET', '/user/info', { token })).status).toBe(401);
  });

  it('ends the session at logout, and no other person’s session', async () => {
    const other = await buildMailbox(server.app);
    const theirs = await server.signIn(other.user.email, other.password);
    const theirSession = await Session.findOne({ where: { userId: other.user.id } });
    const mine = await buildMailbox(server.app);
    const { token } = await server.signIn(mine.user.email, mine.password);
    await server.call('POST', '/user/logout', { token, body: { session_ids: [theirSession?.sessionKey] } });
    expect((await server.call('GET', '/user/info', { token: theirs.token })).status).toBe(200);
    const nonsense = await server.call('POST', '/user/logout', { token, body: { session_ids: ['é'] } });
    expect(nonsense.status).toBe(422);
    await server.call('POST', '/user/logout', { token });
    expect((await server.call('GET', '/user/info', { token })).status).toBe(401);
  });
});
