import { encodePassword } from '@selvage/core/contracts/fields';
import { AppPassword } from '@selvage/core/models/app-password';
import { Passkey } from '@selvage/core/models/passkey';
import { RecoveryCode } from '@selvage/core/models/recovery-code';
import { User } from '@selvage/core/models/user';
import { Op } from 'sequelize';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { rules as accountRules } from '../account/rate-limits.ts';
import { type Answer, startTestServer, type TestServer } from '../test-server.ts';
import { codeOf, latestNotice, turnOn, wrongCodeOf } from './test-two-factor.ts';
import type { Rule } from './throttle.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

const changes = [
  { what: 'a passkey', call: ['POST', '/user/passkeys/options'], fields: {} },
  {
    what: 'a recovery address',
    call: ['PUT', '/user/recovery_email'],
    fields: { recovery_email: 'me@elsewhere.test' },
  },
  { what: 'an app password', call: ['POST', '/user/app_passwords'], fields: { app_name: 'Phone' } },
] as const;

/** A person with two-factor on, whose session and password an attacker has as well. */
async function buildProtected({ call: [method, path], fields }: (typeof changes)[number]) {
  const person = await buildMailbox(server.app);
  const { token, secret, recoveryCodes } = await turnOn(server, person);
  const ask = (code: object): Promise<Answer> =>
    server.call(method, path, { token, body: { ...fields, password: encodePassword(person.password), ...code } });
  return { person, secret, recoveryCodes, ask };
}

describe.each(changes)('a way past the second factor: $what', (change) => {
  it('takes a code beside the password', async () => {
    const { person, secret, recoveryCodes, ask } = await buildProtected(change);
    for (const code of [{}, { otp: wrongCodeOf(secret) }, { recovery_code: 'aaaa-aaaa-aa' }]) {
      const refused = await ask(code);
      expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([422, ['otp']]);
    }
    expect((await User.findByPk(person.user.id))?.recoveryEmail).toBeNull();
    // The app may show another code before the second call
    const otp = codeOf(secret);
    expect((await ask({ otp })).status).toBe(200);
    expect((await ask({ otp })).status).toBe(422);
    expect((await ask({ recovery_code: recoveryCodes[0] })).status).toBe(200);
  });
});

it('takes no code while two-factor is off', async () => {
  const person = await buildMailbox(server.app);
  const { token } = await server.signIn(person.user.email, person.password);
  for (const { call, fields } of changes.slice(1)) {
    const body = { ...fields, password: encodePassword(person.password) };
    expect((await server.call(call[0], call[1], { token, body })).status).toBe(200);
  }
});

it('uses no code up for a recovery address that is refused', async () => {
  const person = await buildMailbox(server.app);
  const { token, secret } = await turnOn(server, person);
  const save = (address: string) => {
    const body = { recovery_email: address, password: encodePassword(person.password), otp: codeOf(secret) };
    return server.call('PUT', '/user/recovery_email', { token, body });
  };
  expect(Object.keys((await save(person.user.email)).body.errors ?? {})).toEqual(['recovery_email']);
  expect((await save('me@elsewhere.test')).status).toBe(200);
});

describe('a recovery code is not used up', () => {
  async function buildAsker(index: 0 | 1 | 2) {
    const asker = await buildProtected(changes[index]);
    const owner = { userId: String(asker.person.user.id), companyId: String(asker.person.company.id) };
    const askByCode = async () => (await asker.ask({ recovery_code: asker.recoveryCodes[0] })).body['code'];
    const codesUsed = () => RecoveryCode.count({ where: { userId: owner.userId, usedAt: { [Op.ne]: null } } });
    const useUp = (rule: Rule, subject: string) =>
      server.app.redis.set(`rate:${rule.name}:${subject}`, rule.limit, 'EX', rule.windowSeconds);
    return { owner, askByCode, codesUsed, useUp };
  }

  it('for a passkey that would be one too many', async () => {
    const { owner, askByCode, codesUsed } = await buildAsker(0);
    const keys = Array.from({ length: 20 }, (_, number) => `${owner.userId}-${number}`);
    await Passkey.bulkCreate(
      keys.map((credentialId) => ({ ...owner, passkeyName: 'Key', credentialId, publicKey: 'x', transports: [] })),
    );
    expect([await askByCode(), await codesUsed()]).toEqual(['too_many_passkeys', 0]);
  });

  it('for an app password that would be one too many, or comes too soon', async () => {
    const { owner, askByCode, codesUsed, useUp } = await buildAsker(2);
    await AppPassword.bulkCreate(
      Array.from({ length: 25 }, (_, number) => ({ ...owner, appName: 'x', passwordHash: `hash ${number}` })),
    );
    expect([await askByCode(), await codesUsed()]).toEqual(['too_many_app_passwords', 0]);
    await AppPassword.destroy({ where: { userId: owner.userId } });
    await useUp(accountRules.toldChange, owner.userId);
    expect([await askByCode(), await codesUsed()]).toEqual(['too_many_requests', 0]);
  });

  it('for a recovery address that may get no further mail', async () => {
    const { owner, askByCode, codesUsed, useUp } = await buildAsker(1);
    await useUp(accountRules.confirmationMail, owner.userId);
    expect([await askByCode(), await codesUsed()]).toEqual(['too_many_requests', 0]);
  });
});

/** What the notice says that two-factor is on, in one line. */
async function noticeOf(person: Mailbox): Promise<string> {
  await turnOn(server, person);
  const raw = await latestNotice(server, person.user.email);
  return raw.replaceAll('=\r\n', '').replaceAll(/\s+/g, ' ');
}

it('is named to the owner who turns two-factor on when it was there before', async () => {
  const user = {
    recoveryEmail: 'next@thief.test',
    confirmedRecoveryEmail: 'first@thief.test',
    forwardTo: 'copies@thief.test',
    forwardConfirmedAt: new Date(),
  };
  const person = await buildMailbox(server.app, { user });
  const { token } = await server.signIn(person.user.email, person.password);
  const password = encodePassword(person.password);
  const body = { app_name: 'Phone', password };
  expect((await server.call('POST', '/user/app_passwords', { token, body })).status).toBe(200);
  const notice = await noticeOf(person);
  expect(notice).toContain('1 app password still works without a code.');
  expect(notice).toContain('A code that is mailed to first@thief.test can turn it off again.');
  expect(notice).toContain('Once next@thief.test is confirmed as your recovery email');
  expect(notice).toContain('Copies of your mail still go to copies@thief.test.');
  expect(notice).toContain('Please remove in the account settings what you do not know.');
});

it('is not spoken of to an owner who has nothing of the kind', async () => {
  const notice = await noticeOf(await buildMailbox(server.app));
  expect(notice).toContain('All other sessions were ended. Account:');
});
