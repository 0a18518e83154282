import { encodePassword } from '@selvage/core/contracts/fields';
import { Delivery } from '@selvage/core/models/delivery';
import { User } from '@selvage/core/models/user';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { startTestServer, type TestServer } from '../test-server.ts';
import { begin, latestNotice, turnOn } from './test-two-factor.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

let count = 0;

async function personWithRecovery() {
  const address = `safe${(count += 1)}@remote.test`;
  const person = await buildMailbox(server.app, { user: { confirmedRecoveryEmail: address } });
  return { person, address, ...(await turnOn(server, person)) };
}

const send = (headers: Record<string, string>, token?: string) =>
  server.call('POST', '/user/2fa_recovery_send_otp', { token, headers, body: {} });
const check = (otp: string, headers: Record<string, string>, token?: string) =>
  server.call('POST', '/user/2fa_recovery_verify_otp', { token, headers, body: { otp } });

async function mailedCode(address: string): Promise<string> {
  return / {4}(\d{6})\r?\n/.exec(await latestNotice(server, address))?.[1] ?? 'no code';
}

const otherThan = (code: string) => (code === '000000' ? '000001' : '000000');

describe('recovery by mail', () => {
  it('turns two-factor off with the mailed code and logs the waiting browser in', async () => {
    const { person, address } = await personWithRecovery();
    const cookie = await begin(server, person);
    expect((await send({ cookie })).status).toBe(200);
    const code = await mailedCode(address);
    const wrong = await check(otherThan(code), { cookie });
    expect(wrong.status).toBe(401);
    expect(wrong.body.message).toBe('Invalid OTP, please try again.');
    const right = await check(code, { cookie });
    expect(right.body).toMatchObject({ success: true, tfa_status: false, twoFactorStatus: false });
    expect(right.body).toHaveProperty('refreshToken');
    expect((await User.findByPk(person.user.id))?.twoFactorSecret).toBeNull();
    expect(await latestNotice(server, address)).toContain('turned off');
  });

  it('forgets a code after five wrong ones', async () => {
    const { person, address } = await personWithRecovery();
    await send({ cookie: await begin(server, person) });
    const code = await mailedCode(address);
    const first = await begin(server, person);
    for (let attempt = 0; attempt < 4; attempt += 1) await check(otherThan(code), { cookie: first });
    const cookie = await begin(server, person);
    expect((await check(otherThan(code), { cookie })).body).toMatchObject({ code: 'wrong_code' });
    expect((await check(code, { cookie })).body).toMatchObject({ code: 'wrong_code' });
  });

  it('mails once a minute', async () => {
    const { person } = await personWithRecovery();
    const cookie = await begin(server, person);
    expect((await send({ cookie })).status).toBe(200);
    const again = await send({ cookie });
    expect(again.status).toBe(429);
    expect(Number(again.headers.get('retry-after'))).toBeLessThanOrEqual(60);
  });

  it('mails nothing to an address that was not confirmed', async () => {
    const unconfirmed = 'unconfirmed@remote.test';
    const person = await buildMailbox(server.app, { user: { recoveryEmail: unconfirmed } });
    await turnOn(server, person);
    const refused = await send({ cookie: await begin(server, person) });
    expect(refused.status).toBe(422);
    expect(refused.body.message).toContain('no confirmed recovery email');
    expect(await Delivery.count({ where: { recipient: unconfirmed } })).toBe(0);
  });

  it('asks a logged-in person for the password first', async () => {
    const { person, address, token } = await personWithRecovery();
    expect((await send({}, token)).body).toMatchObject({ code: 'password_first' });
    const body = { password: encodePassword(person.password), onoff_status: false };
    await server.call('POST', '/user/verify_password', { token, body });
    expect((await send({}, token)).status).toBe(200);
    const code = await mailedCode(address);
    const done = await check(code, {}, token);
    expect(done.body).toMatchObject({ success: true, tfa_status: false });
    expect(done.body).not.toHaveProperty('token');
  });
});
