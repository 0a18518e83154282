import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { networkOf } from '@selvage/core/access/network-of';
import { encodePassword } from '@selvage/core/contracts/fields';
import { systemContext } from '@selvage/core/context/context';
import { makeResetLink } from '@selvage/core/startup/reset-password';
import { AuditEvent } from '@selvage/core/models/audit-event';
import { AppPassword } from '@selvage/core/models/app-password';
import { Delivery } from '@selvage/core/models/delivery';
import { OneTimeLink } from '@selvage/core/models/one-time-link';
import { User } from '@selvage/core/models/user';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildGroup, buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { until } from '../../../tests/support/until.ts';
import { codeOf, cookieOf, logIn, turnOn } from '../auth/test-two-factor.ts';
import { forgiveAttempts } from '../auth/throttle.ts';
import { buildAdministrator } from '../test-people.ts';
import { type Answer, startTestServer, type TestServer } from '../test-server.ts';
import { rules } from './rate-limits.ts';
import { linkMailedTo, mailsTo, tokenOf } from './test-mails.ts';

let server: TestServer;
const password = 'seven green bottles';
const subject = /new password/;

beforeAll(async () => {
  server = await startTestServer();
});

let people = 0;

/** A person with a confirmed recovery address. */
async function buildRecoverable(user: Partial<User> = {}): Promise<Mailbox & { recovery: string }> {
  const recovery = `person${(people += 1)}@recovery.test`;
  const mailbox = await buildMailbox(server.app, {
    user: { recoveryEmail: recovery, confirmedRecoveryEmail: recovery, ...user },
  });
  return { ...mailbox, recovery };
}

async function forget(email: string, captcha?: object): Promise<Answer> {
  return await server.call('POST', '/user/forgot_password', {
    body: { email, ...(captcha ?? (await server.captcha())) },
  });
}

async function tokenFor(person: { user: User; recovery: string }): Promise<string> {
  expect((await forget(person.user.email)).status).toBe(200);
  return tokenOf(await linkMailedTo(server.app, person.recovery, subject));
}

const check = (token: string) => server.call('POST', '/user/set_password/check', { body: { token } });
const set = (token: string, wanted = password) => {
  const encoded = encodePassword(wanted);
  const body = { token, new_password: encoded, confirm_password: encoded };
  return server.call('POST', '/user/set_password', { body });
};

describe('a forgotten password', () => {
  it('is set once with the mailed link, which ends sessions and app passwords and leaves two-factor on', async () => {
    const ana = await buildRecoverable();
    const { token: session } = await server.signIn(ana.user.email, ana.password);
    await User.update({ twoFactorStatus: true }, { where: { id: ana.user.id } });
    const owner = { companyId: String(ana.company.id), userId: String(ana.user.id) };
    await AppPassword.create({ ...owner, appName: 'phone', passwordHash: 'h' });
    const token = await tokenFor(ana);
    expect((await check(token)).body.data).toEqual({ email: ana.user.email });
    const common = await set(token, 'password1');
    expect(common.body.errors).toHaveProperty('new_password');
    expect((await set(token)).status).toBe(200);
    expect(await AppPassword.count({ where: owner })).toBe(0);
    expect((await server.call('GET', '/user/info', { token: session })).status).toBe(401);
    expect((await ana.user.reload()).twoFactorStatus).toBe(true);
    const again = await set(token, 'yet another one');
    expect(again.status).toBe(400);
    expect(again.body).toMatchObject({ code: 'link_invalid' });
    expect((await check(token)).status).toBe(400);
    const credentials = { email: ana.user.email, password: encodePassword(password), ...(await server.captcha()) };
    expect((await server.call('POST', '/user/login', { body: credentials })).body).toMatchObject({ otpRequired: true });
    expect(await AuditEvent.count({ where: { entityId: ana.user.id, action: 'password:set-by-link' } })).toBe(1);
    expect((await mailsTo(server.app, ana.user.email)).map((mail) => mail.subject)).toEqual(['Your password was set']);
  });

  it('has to be another one where an administrator asked for that, and may be the same elsewhere', async () => {
    const told = await buildRecoverable({ passwordChangeRequired: true });
    const token = await tokenFor(told);
    expect((await set(token, told.password)).body.errors).toEqual({
      new_password: 'The new password must differ from the current one',
    });
    expect((await told.user.reload()).passwordChangeRequired).toBe(true);
    expect((await set(token)).status).toBe(200);
    expect((await told.user.reload()).passwordChangeRequired).toBe(false);
    const free = await buildRecoverable();
    expect((await set(await tokenFor(free), free.password)).status).toBe(200);
  });

  it('is set with a link that the operator made, and its owner is told so', async () => {
    const { user, recovery } = await buildRecoverable();
    const wanted = { address: user.email, turnsTwoFactorOff: false };
    const { link } = await makeResetLink(systemContext(server.app), wanted);
    expect((await set(tokenOf(link))).status).toBe(200);
    const told = await mailsTo(server.app, recovery);
    // The link did not prove the recovery address, so that goes too (D14)
    expect(told.map(({ text: words }) => words)).toEqual([
      expect.stringContaining('The recovery email of your account was removed.'),
      expect.stringContaining('with a link that the operator of this host made,'),
    ]);
    expect((await server.signIn(user.email, password)).token).toBeTruthy();
  });

  it('is useless as soon as the operator turns two-factor off, which alone may have kept a thief out', async () => {
    const person = await buildMailbox(server.app);
    const { token: session } = await turnOn(server, person);
    const wanted = { address: person.user.email, turnsTwoFactorOff: true };
    const { link } = await makeResetLink(systemContext(server.app), wanted);
    expect((await logIn(server, person)).status).toBe(401);
    expect((await server.call('GET', '/user/info', { token: session })).status).toBe(401);
    expect((await set(tokenOf(link))).status).toBe(200);
    expect((await server.signIn(person.user.email, password)).token).toBeTruthy();
  });

  it('that a stranger asks for takes no link away that the person was given in another way', async () => {
    const jo = await buildRecoverable();
    const wanted = { address: jo.user.email, turnsTwoFactorOff: false };
    const shown = tokenOf((await makeResetLink(systemContext(server.app), wanted)).link);
    const mailed = await tokenFor(jo);
    expect((await check(mailed)).status).toBe(200);
    expect((await set(shown)).status).toBe(200);
    expect((await check(mailed)).status).toBe(400);
  });

  it('is no longer set with an older link once the operator has made one', async () => {
    const kim = await buildRecoverable();
    const mailed = await tokenFor(kim);
    const wanted = { address: kim.user.email, turnsTwoFactorOff: false };
    const shown = tokenOf((await makeResetLink(systemContext(server.app), wanted)).link);
    expect([(await check(mailed)).status, (await check(shown)).status]).toEqual([400, 200]);
  });

  it('leaves the recovery address that its link was mailed to, and none that waits to be confirmed', async () => {
    const fay = await buildRecoverable();
    const { token: session } = await server.signIn(fay.user.email, fay.password);
    const thief = `thief-${fay.user.id}@recovery.test`;
    const body = { recovery_email: thief, password: encodePassword(fay.password) };
    expect((await server.call('PUT', '/user/recovery_email', { token: session, body })).status).toBe(200);
    const waiting = tokenOf(await linkMailedTo(server.app, thief, /^Confirm/));
    expect((await set(await tokenFor(fay))).status).toBe(200);
    const kept = { recoveryEmail: fay.recovery, confirmedRecoveryEmail: fay.recovery };
    expect(await fay.user.reload()).toMatchObject(kept);
    expect((await server.call('POST', '/user/recovery_email/confirm', { body: { token: waiting } })).status).toBe(400);
    expect(await fay.user.reload()).toMatchObject(kept);
    const [told] = await mailsTo(server.app, fay.recovery);
    expect(told?.text).toContain(`Your recovery email is ${fay.recovery} again: ${thief} was not confirmed.`);
  });

  it('makes no way in of the recovery mailbox alone: until another factor was right, no code goes there', async () => {
    const gil = await buildRecoverable();
    const { secret } = await turnOn(server, gil);
    expect((await set(await tokenFor(gil))).status).toBe(200);
    const [told] = await mailsTo(server.app, gil.recovery);
    expect(told?.text).toContain('No code is mailed to that address as a second factor until');
    const first = await logIn(server, { user: gil.user, password });
    const factors = ['totp', 'recovery_code'];
    expect(first.body).toMatchObject({ second_factors: factors, password_by_recovery_email: true });
    const headers = { cookie: cookieOf(first) };
    const refused = { status: 409, body: { code: 'password_by_recovery_email' } };
    expect(await server.call('POST', '/user/2fa_recovery_send_otp', { headers, body: {} })).toMatchObject(refused);
    const otp = { otp: '123456' };
    expect(await server.call('POST', '/user/2fa_recovery_verify_otp', { headers, body: otp })).toMatchObject(refused);
    const right = await server.call('POST', '/user/verify_otp', { headers, body: { otp: codeOf(secret) } });
    expect(right.body).toHaveProperty('refreshToken');
    const next = await logIn(server, { user: gil.user, password });
    const all = [...factors, 'recovery_email'];
    expect(next.body).toMatchObject({ second_factors: all, password_by_recovery_email: false });
  });

  it('leaves the recovery address a second factor where there was none to ask for, or others vouched since', async () => {
    const hal = await buildRecoverable();
    expect((await set(await tokenFor(hal))).status).toBe(200);
    expect((await hal.user.reload()).passwordByRecoveryEmail).toBe(false);

    const admin = await buildAdministrator(server);
    const linked = () => buildMailbox(server.app, { tenant: admin });
    const [given, freed, own] = [await linked(), await linked(), await linked()];
    const { token } = await server.signIn(own.user.email, own.password);
    const flags = { passwordByRecoveryEmail: true, twoFactorStatus: true };
    await User.update(flags, { where: { id: [given.user.id, freed.user.id, own.user.id] } });
    const encoded = encodePassword(password);
    const changed = { old_password: encodePassword(own.password), new_password: encoded, confirm_password: encoded };
    const answers = [
      await admin.call('PUT', `/user/update/${given.user.id}`, { password: encoded }),
      await admin.call('POST', `/user/two_factor/off/${freed.user.id}`),
      await server.call('POST', '/user/change_password', { token, body: changed }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const people = await Promise.all([given, freed, own].map(({ user }) => user.reload()));
    expect(people.map(({ passwordByRecoveryEmail }) => passwordByRecoveryEmail)).toEqual([false, false, false]);
  });

  it('accepts only one of two uses of a link at once', async () => {
    const ben = await buildRecoverable();
    const token = await tokenFor(ben);
    const statuses = (await Promise.all([set(token, 'the first of two'), set(token, 'the second of two')])).map(
      ({ status }) => status,
    );
    expect(statuses.toSorted()).toEqual([200, 400]);
  });

  it('builds the link from the configured address, whatever Host says', async () => {
    const cem = await buildRecoverable();
    const body = JSON.stringify({ email: cem.user.email, ...(await server.captcha()) });
    const headers = { host: 'evil.test', 'x-forwarded-host': 'evil.test', 'content-type': 'application/json' };
    const answer = await new Promise<string>((resolve, reject) => {
      const sent = request(`${server.url}/api/v1/user/forgot_password`, { method: 'POST', headers }, (response) =>
        resolve(text(response)),
      );
      sent.once('error', reject).end(body);
    });
    expect(JSON.parse(answer)).toMatchObject({ success: true });
    const link = await linkMailedTo(server.app, cem.recovery, subject);
    expect(new URL(link).origin).toBe(new URL(server.app.config.url).origin);
    expect((await mailsTo(server.app, cem.recovery))[0]?.text).not.toContain('evil');
  });

  it('answers alike for every address and mails nothing to unconfirmed ones, inactive people or strangers', async () => {
    const unconfirmed = await buildRecoverable({ confirmedRecoveryEmail: null });
    const inactive = await buildRecoverable({ activeStatus: false });
    const deleted = await buildRecoverable({ deletedAt: new Date() });
    const good = await buildRecoverable();
    const addresses = [unconfirmed, inactive, deleted].map(({ user }) => user.email);
    const answers = [];
    for (const email of [...addresses, 'nobody@nowhere.test', good.user.email]) answers.push(await forget(email));
    for (const { status, body } of answers) expect([status, body]).toEqual([200, answers[0]?.body]);
    await linkMailedTo(server.app, good.recovery, subject);
    const others = [unconfirmed, inactive, deleted].map(({ recovery }) => recovery);
    expect(await Delivery.count({ where: { recipient: [...others, ...addresses, 'nobody@nowhere.test'] } })).toBe(0);
  });

  it('mails nothing to a recovery address that has become a group of the company', async () => {
    const mailbox = await buildMailbox(server.app);
    const colleague = await buildMailbox(server.app, { tenant: mailbox });
    const { address } = await buildGroup(mailbox, { members: [mailbox, colleague] });
    await mailbox.user.update({ recoveryEmail: address, confirmedRecoveryEmail: address });
    const good = await buildRecoverable();
    for (const { user } of [mailbox, good]) expect((await forget(user.email)).status).toBe(200);
    await linkMailedTo(server.app, good.recovery, subject);
    expect(await Delivery.count({ where: { recipient: address } })).toBe(0);
  });

  it('is not shut out by a stranger of the same network who makes links up', async () => {
    const eve = await buildRecoverable();
    const token = await tokenFor(eve);
    const invented: number[] = [];
    for (let n = 0; n < 61; n += 1) invented.push((await check(`made-up-${n}`)).status);
    expect(invented.at(-1)).toBe(429);
    expect((await check(token)).status).toBe(200);
    await forgiveAttempts(server.app, rules.link, networkOf('127.0.0.1'));
  });

  it('asks for a captcha, and is slowed down alike for known and unknown addresses', async () => {
    const dan = await buildRecoverable();
    expect((await forget(dan.user.email, {})).body.errors).toHaveProperty('captcha_text');
    for (const email of [dan.user.email, 'stranger@nowhere.test']) {
      const statuses: number[] = [];
      for (let count = 0; count < 6; count += 1) statuses.push((await forget(email)).status);
      expect(statuses).toEqual([...Array(5).fill(200), 429]);
    }
    await forgiveAttempts(server.app, rules.forgotAddress, networkOf('127.0.0.1'));
  });

  it('refuses a link that ran out, was replaced, was made up, or whose owner may not log in any more', async () => {
    const eva = await buildRecoverable();
    const first = await tokenFor(eva);
    await OneTimeLink.update({ expiresAt: new Date(Date.now() - 1000) }, { where: { userId: eva.user.id } });
    expect((await check(first)).status).toBe(400);
    expect((await set(first)).status).toBe(400);
    expect((await forget(eva.user.email)).status).toBe(200);
    await until('the second link', async () => (await OneTimeLink.count({ where: { userId: eva.user.id } })) === 2);
    const second = tokenOf(await linkMailedTo(server.app, eva.recovery, subject));
    expect((await check(second)).status).toBe(200);
    await forget(eva.user.email);
    await until('the third link', async () => (await OneTimeLink.count({ where: { userId: eva.user.id } })) === 3);
    expect((await set(second)).status).toBe(400);
    expect((await set('A'.repeat(43))).status).toBe(400);
    expect((await set('A'.repeat(1000))).status).toBe(422);
    const third = tokenOf(await linkMailedTo(server.app, eva.recovery, subject));
    await User.update({ activeStatus: false }, { where: { id: eva.user.id } });
    expect((await set(third)).status).toBe(400);
  });
});
