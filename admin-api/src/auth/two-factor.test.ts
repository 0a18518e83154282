import { randomBytes } from 'node:crypto';
import { encodePassword } from '@selvage/core/contracts/fields';
import { AuditEvent } from '@selvage/core/models/audit-event';
import { RecoveryCode } from '@selvage/core/models/recovery-code';
import { Session } from '@selvage/core/models/session';
import { User } from '@selvage/core/models/user';
import type { Transaction } from 'sequelize';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { rollBackOnce } from '../../../tests/support/roll-back-once.ts';
import { startTestServer, type TestServer } from '../test-server.ts';
import { begin, codeOf, cookieOf, latestNotice, logIn, turnOn, wrongCodeOf } from './test-two-factor.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

const verify = (cookie: string, body: object) => server.call('POST', '/user/verify_otp', { headers: { cookie }, body });

async function securedPerson() {
  const person = await buildMailbox(server.app);
  return { person, ...(await turnOn(server, person)) };
}

/**
 * Opens sessions until a person who is logged in once has as many as they may. Returns their keys.
 */
async function fillSessions(person: Mailbox): Promise<string[]> {
  const user = { companyId: person.company.id, userId: person.user.id };
  const filler = { ...user, deviceIp: '', userAgent: '', tokenVersion: 0, lastActive: new Date() };
  const open = Array.from({ length: server.app.config.sessionLimit - 1 }, () => ({
    ...filler,
    sessionKey: randomBytes(16).toString('hex'),
    refreshHash: randomBytes(32).toString('hex'),
    expiresAt: new Date(Date.now() + 60_000),
  }));
  await Session.bulkCreate(open);
  return open.map(({ sessionKey }) => sessionKey);
}

const actionsOf = async (person: Mailbox) =>
  (await AuditEvent.findAll({ where: { entityId: person.user.id }, order: [['id', 'ASC']] })).map(
    ({ action }) => action,
  );

describe('turning two-factor on', () => {
  it('needs the password and a code, gives ten recovery codes once, ends other sessions and tells the owner', async () => {
    const person = await buildMailbox(server.app, { user: { confirmedRecoveryEmail: 'safe@remote.test' } });
    const other = await server.signIn(person.user.email, person.password);
    const { token, begun, confirmed, secret } = await turnOn(server, person);
    expect(begun.body['data']).toMatch(/^data:image\/svg\+xml;base64,/);
    expect(confirmed.body).toMatchObject({ success: true, tfa_status: true });
    expect(new Set(confirmed.body['recovery_codes'] as string[]).size).toBe(10);
    expect((await server.call('GET', '/user/info', { token: other.token })).status).toBe(401);
    const info = await server.call('GET', '/user/info', { token });
    expect(info.body.data).toMatchObject({ twoFactorStatus: true, recovery_codes_left: 10 });
    expect(await actionsOf(person)).toContain('two-factor:on');
    for (const to of [person.user.email, 'safe@remote.test'])
      expect(await latestNotice(server, to)).toContain('turned on');
    const stored = await User.findByPk(person.user.id);
    expect(stored?.twoFactorSecret).not.toContain(secret);
  });

  it('changes nothing before a right code, and nothing without the password', async () => {
    const person = await buildMailbox(server.app);
    const { token } = await server.signIn(person.user.email, person.password);
    const body = { password: encodePassword('not the password'), onoff_status: true };
    const refused = await server.call('POST', '/user/verify_password', { token, body });
    expect(refused.status).toBe(422);
    const early = await server.call('POST', '/user/verify_otp', { token, body: { otp: '123456', tfa_status: true } });
    expect(early.body).toMatchObject({ success: false, code: 'password_first' });
    const right = { password: encodePassword(person.password), onoff_status: true };
    const begun = await server.call('POST', '/user/verify_password', { token, body: right });
    const otp = wrongCodeOf(String(begun.body['secret']));
    const wrong = await server.call('POST', '/user/verify_otp', { token, body: { otp, tfa_status: true } });
    expect(wrong.body.errors).toEqual({ otp: 'Invalid OTP. Please try again.' });
    expect((await User.findByPk(person.user.id))?.twoFactorStatus).toBe(false);
    expect((await logIn(server, person)).body).toHaveProperty('refreshToken');
  });

  it('does not let another session confirm with what this one began', async () => {
    const person = await buildMailbox(server.app);
    const [mine, other] = [
      await server.signIn(person.user.email, person.password),
      await server.signIn(person.user.email, person.password),
    ];
    const body = { password: encodePassword(person.password), onoff_status: true };
    const begun = await server.call('POST', '/user/verify_password', { token: mine.token, body });
    const confirm = { otp: codeOf(String(begun.body['secret'])), tfa_status: true };
    expect((await server.call('POST', '/user/verify_otp', { token: other.token, body: confirm })).status).toBe(403);
  });
});

describe('logging in with a code', () => {
  it('asks for the second factor, names those there are, and logs in with a code that works once', async () => {
    const { person, secret } = await securedPerson();
    const first = await logIn(server, person);
    expect(first.body).toMatchObject({ otpRequired: true, second_factors: ['totp', 'recovery_code'] });
    expect(first.body).not.toHaveProperty('token');
    const cookie = cookieOf(first);
    const wrong = await verify(cookie, { email: person.user.email, otp: wrongCodeOf(secret) });
    expect(wrong.status).toBe(401);
    expect(wrong.body).toMatchObject({ code: 'wrong_code', message: 'Invalid OTP. Please try again.' });
    const otp = codeOf(secret);
    const right = await verify(cookie, { email: person.user.email, otp });
    expect(right.body).toHaveProperty('refreshToken');
    expect((await verify(cookie, { otp: codeOf(secret, 1) })).body).toMatchObject({ code: 'sign_in_again' });
    const again = await begin(server, person);
    for (const old of [otp, codeOf(secret, -1)]) {
      expect((await verify(again, { otp: old })).body).toMatchObject({ code: 'wrong_code' });
    }
  });

  it('mails codes again after a right one, also when the database runs the login again', async () => {
    const { person, secret } = await securedPerson();
    const where = { id: person.user.id };
    await User.update({ passwordByRecoveryEmail: true }, { where });
    const cookie = await begin(server, person);
    const isVouchedFor = async (transaction: Transaction) =>
      (await User.findOne({ where, transaction }))?.passwordByRecoveryEmail === false;
    const hasRunAgain = rollBackOnce(server.app, isVouchedFor);
    const right = await verify(cookie, { otp: codeOf(secret) });
    expect([right.status, hasRunAgain()]).toEqual([200, true]);
    expect(await User.findOne({ where })).toMatchObject({ passwordByRecoveryEmail: false });
  });

  it('lets in one of two calls with the same code at once', async () => {
    const { person, secret } = await securedPerson();
    const cookies = [await begin(server, person), await begin(server, person)];
    const otp = codeOf(secret);
    const answers = await Promise.all(cookies.map((cookie) => verify(cookie, { otp })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
  });

  it('accepts a recovery code once, also typed in capitals without hyphens', async () => {
    const { person, recoveryCodes } = await securedPerson();
    const [code = ''] = recoveryCodes;
    const typed = code.toUpperCase().replaceAll('-', '');
    const cookies = [await begin(server, person), await begin(server, person)];
    const answers = await Promise.all(cookies.map((cookie) => verify(cookie, { recovery_code: typed })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
    expect((await verify(await begin(server, person), { recovery_code: code })).status).toBe(401);
    expect(await RecoveryCode.count({ where: { userId: person.user.id, usedAt: null } })).toBe(9);
    expect(await actionsOf(person)).toContain('recovery-code:used');
    expect(await latestNotice(server, person.user.email)).toContain('9 are left');
  });

  it('refuses a cookie with the address of another person, without a second factor, and after the password changed', async () => {
    const [mine, other] = [await securedPerson(), await buildMailbox(server.app)];
    const cookie = await begin(server, mine.person);
    const foreign = await verify(cookie, { email: other.user.email, otp: codeOf(mine.secret) });
    expect(foreign.body).toMatchObject({ code: 'sign_in_again' });
    for (const body of [{}, { otp: '' }, { recovery_code: '' }]) expect((await verify(cookie, body)).status).toBe(422);
    await User.increment('tokenVersion', { where: { id: mine.person.user.id } });
    expect((await verify(cookie, { otp: codeOf(mine.secret) })).body).toMatchObject({ code: 'sign_in_again' });
    expect(await Session.count({ where: { userId: mine.person.user.id } })).toBe(1);
  });

  it('gives no session for a cookie that never saw a second factor, even when two-factor is off by then', async () => {
    const { person } = await securedPerson();
    const cookie = await begin(server, person);
    await User.update({ twoFactorStatus: false }, { where: { id: person.user.id } });
    expect((await verify(cookie, { otp: '123456' })).body).toMatchObject({ code: 'sign_in_again' });
  });

  it('at the session limit repeats the step with the code that was used, in this browser only', async () => {
    const { person, secret, token } = await securedPerson();
    const others = await fillSessions(person);
    const [waiting, stranger] = [await begin(server, person), await begin(server, person)];
    const otp = codeOf(secret);
    const limited = await verify(waiting, { email: person.user.email, otp });
    expect(limited.body).toMatchObject({ success: false, device_limit_reached: true });
    expect(limited.body).not.toHaveProperty('refreshToken');
    const renewed = cookieOf(limited);
    expect(renewed).not.toBe(waiting);
    const body = { session_ids: [others[0]] };
    const ended = await server.call('POST', '/user/logout', { token: String(limited.body['token']), body });
    expect(ended.status).toBe(200);
    expect((await verify(stranger, { otp })).body).toMatchObject({ code: 'wrong_code' });
    expect((await verify(waiting, { otp })).body).toMatchObject({ code: 'sign_in_again' });
    expect((await verify(renewed, { email: person.user.email, otp })).body).toHaveProperty('refreshToken');
    expect((await verify(renewed, { otp })).body).toMatchObject({ code: 'sign_in_again' });
    expect((await server.call('GET', '/user/info', { token })).status).toBe(200);
  });

  it('asks a browser that met the limit without two-factor for a code if it was turned on since', async () => {
    const person = await buildMailbox(server.app);
    const keep = await server.signIn(person.user.email, person.password);
    for (let count = 1; count < server.app.config.sessionLimit; count += 1) {
      await server.signIn(person.user.email, person.password);
    }
    const cookie = cookieOf(await logIn(server, person));
    await User.update({ twoFactorStatus: true, twoFactorSecret: 'v1.x' }, { where: { id: person.user.id } });
    await server.call('POST', '/user/logout', { token: keep.token });
    const body = { email: person.user.email, password: encodePassword(person.password) };
    const retried = await server.call('POST', '/user/login', { headers: { cookie }, body });
    expect(retried.body).toMatchObject({ otpRequired: true });
    expect(retried.body).not.toHaveProperty('token');
  });
});

describe('setting up another app', () => {
  const password = (person: Mailbox) => encodePassword(person.password);

  it('takes a proof of the second factor beside the password, and leaves the old app until the new one is right', async () => {
    const { person, token, secret, recoveryCodes } = await securedPerson();
    const other = await begin(server, person);
    expect((await verify(other, { otp: codeOf(secret) })).status).toBe(200);
    await User.update({ twoFactorLastStep: 0 }, { where: { id: person.user.id } });
    await Session.update({ confirmedAt: null }, { where: { userId: person.user.id } });
    const ask = () =>
      server.call('POST', '/user/verify_password', { token, body: { password: password(person), onoff_status: true } });
    expect((await ask()).body).toMatchObject({ code: 'confirm_first' });
    const proof = { password: password(person), recovery_code: recoveryCodes[0] };
    expect((await server.call('POST', '/user/confirm', { token, body: proof })).status).toBe(200);
    const next = String((await ask()).body['secret']);
    expect(next).not.toBe(secret);
    const finish = (otp: string) => server.call('POST', '/user/verify_otp', { token, body: { otp, tfa_status: true } });
    expect((await finish(codeOf(secret))).status).toBe(422);
    expect((await verify(await begin(server, person), { otp: codeOf(secret) })).status).toBe(200);
    const done = await finish(codeOf(next));
    expect(done.body).toMatchObject({ success: true, tfa_status: true });
    expect(done.body).not.toHaveProperty('recovery_codes');
    expect(await Session.count({ where: { userId: person.user.id, endedAt: null } })).toBe(1);
    expect(await actionsOf(person)).toContain('two-factor:app-replaced');
    expect(await latestNotice(server, person.user.email)).toContain('Another authenticator app was set up');
    await User.update({ twoFactorLastStep: 0 }, { where: { id: person.user.id } });
    expect((await verify(await begin(server, person), { otp: codeOf(secret) })).status).toBe(401);
    expect((await verify(await begin(server, person), { otp: codeOf(next) })).status).toBe(200);
    expect((await verify(await begin(server, person), { recovery_code: recoveryCodes[1] })).status).toBe(200);
  });

  it('is refused when two-factor was turned off since it was begun', async () => {
    const { person, token } = await securedPerson();
    const body = { password: password(person), onoff_status: true };
    const next = String((await server.call('POST', '/user/verify_password', { token, body })).body['secret']);
    await User.update({ twoFactorStatus: false, twoFactorSecret: null }, { where: { id: person.user.id } });
    const late = await server.call('POST', '/user/verify_otp', {
      token,
      body: { otp: codeOf(next), tfa_status: true },
    });
    expect(late.body).toMatchObject({ code: 'two_factor_changed' });
    expect((await person.user.reload()).twoFactorStatus).toBe(false);
  });
});

describe('a login at the session limit whose second factor was right', () => {
  /** Such a login, with the cookie that goes on with it, and another session of the person. */
  async function limited() {
    const { person, token, secret, recoveryCodes } = await securedPerson();
    const others = await fillSessions(person);
    const met = await verify(await begin(server, person), { otp: codeOf(secret) });
    expect(met.body).toMatchObject({ device_limit_reached: true });
    const cookie = cookieOf(met);
    const signIn = async (own = cookie) => {
      const body = { email: person.user.email, password: password(person) };
      return await server.call('POST', '/user/login', { headers: { cookie: own }, body });
    };
    return { person, token, cookie, others, recoveryCodes, signIn };
  }
  const password = (person: Mailbox) => encodePassword(person.password);

  it('needs another one once the person has ended their other sessions', async () => {
    const { token, cookie, others, signIn } = await limited();
    const body = { session_ids: others };
    expect((await server.call('POST', '/user/logout', { token, body })).status).toBe(200);
    expect((await verify(cookie, { otp: '000000' })).body).toMatchObject({ code: 'wrong_code' });
    expect((await signIn()).body).toMatchObject({ otpRequired: true });
  });

  it('goes on with the other one, once that was right', async () => {
    const { person, token, cookie, others, recoveryCodes, signIn } = await limited();
    expect((await server.call('POST', '/user/logout', { token, body: { session_ids: others } })).status).toBe(200);
    await fillSessions(person);
    const met = await verify(cookie, { recovery_code: recoveryCodes[0] });
    expect(met.body).toMatchObject({ device_limit_reached: true });
    expect((await signIn(cookieOf(met))).body).toMatchObject({ device_limit_reached: true });
  });

  it('needs one of the new app once another is set up', async () => {
    const { person, token, signIn } = await limited();
    const body = { password: password(person), onoff_status: true };
    const next = String((await server.call('POST', '/user/verify_password', { token, body })).body['secret']);
    const set = { otp: codeOf(next), tfa_status: true };
    expect((await server.call('POST', '/user/verify_otp', { token, body: set })).status).toBe(200);
    expect((await signIn()).body).toMatchObject({ otpRequired: true });
  });
});

it('a setup that an earlier version began can be finished', async () => {
  const person = await buildMailbox(server.app);
  const { token } = await server.signIn(person.user.email, person.password);
  const body = { password: encodePassword(person.password), onoff_status: true };
  const secret = String((await server.call('POST', '/user/verify_password', { token, body })).body['secret']);
  const [key = ''] = await server.app.redis.keys(`factor-change:${person.user.id}:*`);
  const { status, sealedSecret } = JSON.parse((await server.app.redis.get(key)) ?? '') as Record<string, unknown>;
  await server.app.redis.set(key, JSON.stringify({ status, sealedSecret }), 'KEEPTTL');
  const set = { otp: codeOf(secret), tfa_status: true };
  expect((await server.call('POST', '/user/verify_otp', { token, body: set })).body).toMatchObject({ success: true });
});

describe('turning two-factor off', () => {
  it('needs the password, then a code, and removes all that belongs to it', async () => {
    const { person, token, secret } = await securedPerson();
    const off = { otp: codeOf(secret), tfa_status: false };
    expect((await server.call('POST', '/user/verify_otp', { token, body: off })).status).toBe(403);
    const body = { password: encodePassword(person.password), onoff_status: false };
    expect((await server.call('POST', '/user/verify_password', { token, body })).body).toMatchObject({ data: null });
    const wrong = await server.call('POST', '/user/verify_otp', { token, body: { ...off, otp: wrongCodeOf(secret) } });
    expect(wrong.status).toBe(422);
    const done = await server.call('POST', '/user/verify_otp', { token, body: off });
    expect(done.body).toMatchObject({ success: true, tfa_status: false });
    const stored = await User.findByPk(person.user.id);
    expect(stored).toMatchObject({ twoFactorStatus: false, twoFactorSecret: null });
    expect(await RecoveryCode.count({ where: { userId: person.user.id } })).toBe(0);
    expect(await actionsOf(person)).toContain('two-factor:off');
    expect((await logIn(server, person)).body).toHaveProperty('refreshToken');
  });

  it('gives new recovery codes for the password and a code, and voids the old ones', async () => {
    const { person, token, secret, recoveryCodes } = await securedPerson();
    const password = encodePassword(person.password);
    const renew = (body: object) => server.call('POST', '/user/recovery_codes', { token, body });
    for (const code of [{}, { recovery_code: '' }, { otp: wrongCodeOf(secret) }, { recovery_code: 'wrong' }]) {
      const refused = await renew({ password, ...code });
      expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([422, ['otp']]);
    }
    const otp = { otp: codeOf(secret) };
    const stranger = await renew({ password: encodePassword('not the password'), ...otp });
    expect(stranger.body.errors).toHaveProperty('password');
    const renewed = await renew({ password, ...otp });
    const codes = (renewed.body.data as { recovery_codes: string[] }).recovery_codes;
    expect(codes).toHaveLength(10);
    const cookie = await begin(server, person);
    expect((await verify(cookie, { recovery_code: recoveryCodes[1] })).status).toBe(401);
    expect((await verify(cookie, { recovery_code: codes[1] })).status).toBe(200);
    expect((await renew({ password, recovery_code: codes[2] })).status).toBe(200);
  });
});
