import { encodePassword } from '@selvage/core/contracts/fields';
import { builtInRole } from '@selvage/core/contracts/permissions';
import { inTransaction, systemContext } from '@selvage/core/context/context';
import { eraseUserRows } from '@selvage/core/directory/erase-rows';
import { findAdministrators } from '@selvage/core/directory/find-administrators';
import { Delivery } from '@selvage/core/models/delivery';
import { tellOwner } from '@selvage/core/outbound/tell-owner';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildCompany, buildGroup, buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { codeOf, logIn, turnOn } from '../auth/test-two-factor.ts';
import { startTestServer, type TestServer } from '../test-server.ts';
import { rules } from './rate-limits.ts';
import { linkMailedTo, mailsTo, tokenOf } from './test-mails.ts';

let server: TestServer;
const subject = /new password/;

beforeAll(async () => {
  server = await startTestServer();
});

/** Deletes a person permanently, and gives their address to another one. */
async function replace(person: Mailbox): Promise<Mailbox> {
  const now = new Date();
  await person.user.update({ deletedAt: now, erasedAt: now });
  expect(await eraseUserRows(systemContext(server.app), String(person.user.id))).toBe(true);
  return await buildMailbox(server.app, { tenant: person, local: person.user.email.split('@')[0] ?? '' });
}

/** Lets a person have a colleague's mailbox as their confirmed recovery address. */
async function confirm(person: Mailbox, { user: { id, email } }: Mailbox): Promise<void> {
  const confirmed = { confirmedRecoveryEmail: email, confirmedRecoveryUserId: String(id) };
  await person.user.update({ recoveryEmail: email, ...confirmed });
}

const mailsIn = (address: string) => Delivery.count({ where: { recipient: address } });

async function forget({ user }: Mailbox): Promise<void> {
  const body = { email: user.email, ...(await server.captcha()) };
  expect((await server.call('POST', '/user/forgot_password', { body })).status).toBe(200);
}

let others = 0;

/** Resolves once a request that was made later has been worked off. */
async function afterAnotherRequest(): Promise<void> {
  const recovery = `other${(others += 1)}@recovery.test`;
  const confirmed = { recoveryEmail: recovery, confirmedRecoveryEmail: recovery };
  await forget(await buildMailbox(server.app, { user: confirmed }));
  await linkMailedTo(server.app, recovery, subject);
}

describe('a recovery mailbox of this host', () => {
  it('counts no more once its address belongs to another person', async () => {
    const person = await buildMailbox(server.app, { roleNumber: builtInRole.admin });
    const colleague = await buildMailbox(server.app, { tenant: person, roleNumber: builtInRole.admin });
    const address = colleague.user.email;
    await confirm(person, colleague);
    await forget(person);
    await linkMailedTo(server.app, address, subject);
    await replace(colleague);
    const before = await mailsIn(address);
    await forget(person);
    await afterAnotherRequest();
    await inTransaction(systemContext(server.app), (tx) => tellOwner(tx, person.user, 'A notice', 'It happened.'));
    expect((await mailsTo(server.app, person.user.email))[0]?.subject).toBe('A notice');
    expect(await mailsIn(address)).toBe(before);
    const companyId = String(person.company.id);
    expect(await findAdministrators(systemContext(server.app), companyId)).toEqual([person.user.email]);
  });

  it('counts only while its owner may do all that the person may', async () => {
    const boss = await buildMailbox(server.app, { roleNumber: builtInRole.superAdmin });
    const equal = await buildMailbox(server.app, { tenant: boss, roleNumber: builtInRole.superAdmin });
    const below = await buildMailbox(server.app, { tenant: boss });
    await turnOn(server, boss);
    await confirm(boss, equal);
    expect((await logIn(server, boss)).body).toMatchObject({
      second_factors: expect.arrayContaining(['recovery_email']),
    });
    await forget(boss);
    await linkMailedTo(server.app, equal.user.email, subject);
    await confirm(boss, below);
    expect((await logIn(server, boss)).body).toMatchObject({ second_factors: ['totp', 'recovery_code'] });
    await forget(boss);
    await afterAnotherRequest();
    expect(await mailsIn(below.user.email)).toBe(0);
  });

  it('of another company does not count for a person of the provider', async () => {
    const boss = await buildMailbox(server.app, { tenant: await buildCompany(server.app, { isProvider: true }) });
    const [own, other] = [await buildMailbox(server.app, { tenant: boss }), await buildMailbox(server.app)];
    await confirm(boss, own);
    await forget(boss);
    await linkMailedTo(server.app, own.user.email, subject);
    await confirm(boss, other);
    await forget(boss);
    await afterAnotherRequest();
    expect(await mailsIn(other.user.email)).toBe(0);
  });

  it('of another company is told from none by no answer, neither with nor without a code', async () => {
    const boss = await buildMailbox(server.app, { roleNumber: builtInRole.admin });
    const { token, secret } = await turnOn(server, boss);
    const enter = async (address: string, code: object = {}) => {
      const body = { recovery_email: address, password: encodePassword(boss.password), ...code };
      const { status, body: answer } = await server.call('PUT', '/user/recovery_email', { token, body });
      return { status, code: answer['code'], message: answer['message'], errors: answer.errors };
    };
    const other = await buildMailbox(server.app);
    const group = await buildGroup(other, { members: [other] });
    const unknown = `unknown@${other.domain.domainName}`;
    const [ofPerson, ofGroup, ofNobody] = [
      await enter(other.user.email),
      await enter(group.address),
      await enter(unknown),
    ];
    expect([ofPerson?.status, Object.keys(ofPerson?.errors ?? {})]).toEqual([422, ['otp']]);
    expect([ofGroup, ofNobody]).toEqual([ofPerson, ofPerson]);
    const own = await buildGroup(boss, { members: [boss, await buildMailbox(server.app, { tenant: boss })] });
    expect((await enter(own.address)).errors).toEqual({
      recovery_email: expect.stringContaining('a group or an alias'),
    });
    // The address is stored, but never counts
    expect((await enter(group.address, { otp: codeOf(secret) })).status).toBe(200);
    const link = tokenOf(await linkMailedTo(server.app, group.address, /^Confirm/));
    const confirmed = await server.call('POST', '/user/recovery_email/confirm', { body: { token: link } });
    expect(confirmed.body['code']).toBe('link_invalid');
  });

  it('is asked for by no caller without end', async () => {
    const person = await buildMailbox(server.app);
    const { token } = await server.signIn(person.user.email, person.password);
    const { name, limit } = rules.recoveryAddress;
    await server.app.redis.set(`rate:${name}:${person.user.id}`, limit, 'EX', 600);
    const body = { recovery_email: person.user.email, password: encodePassword(person.password) };
    expect((await server.call('PUT', '/user/recovery_email', { token, body })).status).toBe(429);
    const nothing = { ...body, recovery_email: '' };
    expect((await server.call('PUT', '/user/recovery_email', { token, body: nothing })).status).toBe(200);
  });
});
