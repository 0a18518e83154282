import { encodePassword } from '@selvage/core/contracts/fields';
import { AuditEvent } from '@selvage/core/models/audit-event';
import { AppPassword } from '@selvage/core/models/app-password';
import { OneTimeLink } from '@selvage/core/models/one-time-link';
import { Passkey } from '@selvage/core/models/passkey';
import { createLink } from '@selvage/core/directory/one-time-links';
import { inTransaction, systemContext } from '@selvage/core/context/context';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { until } from '../../../tests/support/until.ts';
import { openSocket } from '../test-socket.ts';
import { startTestServer, type TestServer } from '../test-server.ts';
import { linkMailedTo, mailsTo, tokenOf } from './test-mails.ts';

let server: TestServer;
const next = 'seven green bottles';

beforeAll(async () => {
  server = await startTestServer();
});

async function change(
  token: string,
  person: Mailbox,
  password: string,
  options: { old?: string; confirm?: string; alsoEnd?: object } = {},
) {
  const body = {
    old_password: encodePassword(options.old ?? person.password),
    new_password: encodePassword(password),
    confirm_password: encodePassword(options.confirm ?? password),
    ...options.alsoEnd,
  };
  return await server.call('POST', '/user/change_password', { token, body });
}

/** Two app passwords and a passkey. */
async function buildWaysIn({ company, user }: Mailbox): Promise<{ phone: string; key: string }> {
  const owner = { companyId: String(company.id), userId: String(user.id) };
  const [phone] = await AppPassword.bulkCreate(
    ['phone', 'laptop'].map((appName) => ({ ...owner, appName, passwordHash: `${user.id} ${appName}` })),
  );
  const credential = { credentialId: `credential ${user.id}`, publicKey: 'k', transports: [] };
  const key = await Passkey.create({ ...owner, passkeyName: 'key', ...credential });
  return { phone: String(phone?.id), key: String(key.id) };
}

const info = (token: string) => server.call('GET', '/user/info', { token });

describe('changing the password', () => {
  it('ends every other session with its sockets and keeps the calling one', async () => {
    const recovery = 'ana@recovery.test';
    const ana = await buildMailbox(server.app, {
      user: { recoveryEmail: recovery, confirmedRecoveryEmail: recovery },
    });
    const own = await server.signIn(ana.user.email, ana.password);
    const other = await server.signIn(ana.user.email, ana.password);
    const socket = await openSocket(server, other.token);

    expect((await change(own.token, ana, next)).status).toBe(200);

    await until('the socket is closed', () => socket.readyState === WebSocket.CLOSED);
    expect((await info(other.token)).status).toBe(401);
    const theirs = await server.call('POST', '/user/refresh', { body: { refreshToken: other.refreshToken } });
    expect(theirs.status).toBe(401);
    expect((await info(own.token)).body).toMatchObject({ code: 'token_outdated' });
    const refreshed = await server.call('POST', '/user/refresh', { body: { refreshToken: own.refreshToken } });
    expect((await info(String(refreshed.body['token']))).status).toBe(200);
    expect((await server.signIn(ana.user.email, ana.password)).token).toBe('');
    expect((await server.signIn(ana.user.email, next)).token).not.toBe('');
    expect(await AuditEvent.count({ where: { actorId: ana.user.id, action: 'password:changed' } })).toBe(1);
    for (const address of [ana.user.email, recovery]) {
      expect((await mailsTo(server.app, address)).map(({ subject }) => subject)).toEqual(['Your password was changed']);
    }
  });

  it('refuses a wrong current password at its field, and limits guesses', async () => {
    const ben = await buildMailbox(server.app);
    const { token } = await server.signIn(ben.user.email, ben.password);
    const answers = [];
    for (let guess = 0; guess < 11; guess += 1) answers.push(await change(token, ben, next, { old: `guess ${guess}` }));
    expect(answers[0]?.status).toBe(422);
    expect(answers[0]?.body.errors?.['old_password']).toContain('Failed to change password');
    expect(answers.map(({ status }) => status)).toEqual([...Array(10).fill(422), 429]);
    expect(Number(answers[10]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await change(token, ben, next)).status).toBe(429);
  });

  it('refuses the same, a common, a short and an unconfirmed password, and the address, each with its reason', async () => {
    const cem = await buildMailbox(server.app, { local: 'cem-address' });
    const { token } = await server.signIn(cem.user.email, cem.password);
    const reasonOf = async (password: string) => (await change(token, cem, password)).body.errors?.['new_password'];
    expect(await reasonOf(cem.password)).toMatch(/differ/);
    expect(await reasonOf('Football1')).toMatch(/common/);
    expect(await reasonOf(cem.user.email.toUpperCase())).toMatch(/address/);
    expect(await reasonOf('cem-address')).toMatch(/address/);
    expect(await reasonOf('short12')).toBe('Password must be at least 8 characters');
    const differing = await change(token, cem, next, { confirm: 'another one' });
    expect(differing.body.errors).toEqual({ confirm_password: 'Passwords must match' });
    expect((await info(token)).status).toBe(200);
  });

  it('refuses what is not base64 of UTF-8 text, and passwords of a megabyte', async () => {
    const dan = await buildMailbox(server.app);
    const { token } = await server.signIn(dan.user.email, dan.password);
    const send = (text: string) =>
      server.call('POST', '/user/change_password', {
        token,
        body: { old_password: encodePassword(dan.password), new_password: text, confirm_password: text },
      });
    expect((await send(Buffer.from([0xff, 0xfe, 0x41, 0x42]).toString('base64'))).status).toBe(422);
    expect((await send('*not base64*')).status).toBe(422);
    expect((await send('A'.repeat(400_000))).status).toBe(422);
    expect((await send('A'.repeat(1_048_576))).status).toBe(413);
  });

  it('ends the app passwords and passkeys that are named, none of another person, and tells the owner', async () => {
    const fay = await buildMailbox(server.app, {
      user: { recoveryEmail: 'fay@recovery.test', confirmedRecoveryEmail: 'fay@recovery.test' },
    });
    const [mine, theirs] = [await buildWaysIn(fay), await buildWaysIn(await buildMailbox(server.app))];
    const { token } = await server.signIn(fay.user.email, fay.password);
    const alsoEnd = {
      end_app_passwords: [mine.phone, theirs.phone],
      end_passkeys: [mine.key, theirs.key],
    };
    expect((await change(token, fay, next, { alsoEnd })).status).toBe(200);
    expect(await AppPassword.findAll({ where: { userId: fay.user.id } })).toMatchObject([{ appName: 'laptop' }]);
    expect(await Passkey.count({ where: { userId: fay.user.id } })).toBe(0);
    expect(await AppPassword.count({ where: { id: theirs.phone } })).toBe(1);
    expect(await Passkey.count({ where: { id: theirs.key } })).toBe(1);
    const [mail] = await mailsTo(server.app, 'fay@recovery.test');
    expect(mail?.text).toMatch(/1 app password and 1 passkey can no longer be used/);
  });

  it('voids links that would confirm an address, and names the addresses to the owner', async () => {
    const gil = await buildMailbox(server.app);
    const { token } = await server.signIn(gil.user.email, gil.password);
    const password = encodePassword(gil.password);
    const ask = (path: string, body: object) => server.call('PUT', path, { token, body: { ...body, password } });
    const [recovery, target] = [`gil-${gil.user.id}@recovery.test`, `gil-${gil.user.id}@target.test`];
    expect((await ask('/user/recovery_email', { recovery_email: recovery })).status).toBe(200);
    expect((await ask('/user/forwarding', { forward_to: target })).status).toBe(200);
    expect((await change(token, gil, next)).status).toBe(200);
    for (const [path, address] of [
      ['/user/recovery_email/confirm', recovery],
      ['/user/forwarding/confirm', target],
    ] as const) {
      const link = tokenOf(await linkMailedTo(server.app, address, /^Confirm/));
      expect((await server.call('POST', path, { body: { token: link } })).body['code']).toBe('link_invalid');
    }
    const mail = (await mailsTo(server.app, gil.user.email)).find(({ subject }) => subject.includes('password'));
    expect(mail?.text).toContain(`Links that were mailed to ${recovery} and ${target} no longer work.`);
  });

  it('accepts one of two changes at once, and voids links that would set another password', async () => {
    const eva = await buildMailbox(server.app);
    const { token } = await server.signIn(eva.user.email, eva.password);
    await inTransaction(systemContext(server.app), (tx) =>
      createLink(tx, eva.user, 'set_password', 'eva@recovery.test'),
    );
    const answers = await Promise.all([change(token, eva, 'first new pass'), change(token, eva, 'second new pass')]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await OneTimeLink.count({ where: { userId: eva.user.id, usedAt: null } })).toBe(0);
  });
});
