import { builtInRole } from '@selvage/core/contracts/permissions';
import { eraseUserRows } from '@selvage/core/directory/erase-rows';
import { createLink } from '@selvage/core/directory/one-time-links';
import { encodePassword } from '@selvage/core/contracts/fields';
import { AuditEvent } from '@selvage/core/models/audit-event';
import { inTransaction, systemContext } from '@selvage/core/context/context';
import { Op } from 'sequelize';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildAlias, buildGroup, buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { type Answer, startTestServer, type TestServer } from '../test-server.ts';
import { linkMailedTo, mailsTo, tokenOf } from './test-mails.ts';

let server: TestServer;
const subject = /^Confirm/;

beforeAll(async () => {
  server = await startTestServer();
});

interface Person extends Mailbox {
  save(address: string, password?: string): Promise<Answer>;
  token: string;
  resend(): Promise<Answer>;
}

async function buildPerson(overrides: Parameters<typeof buildMailbox>[1] = {}): Promise<Person> {
  const mailbox = await buildMailbox(server.app, overrides);
  const { token } = await server.signIn(mailbox.user.email, mailbox.password);
  return {
    ...mailbox,
    token,
    save: (address, password = mailbox.password) => {
      const body = { recovery_email: address, password: encodePassword(password) };
      return server.call('PUT', '/user/recovery_email', { token, body });
    },
    resend: () => server.call('POST', '/user/recovery_email/resend', { token }),
  };
}

const confirm = (token: string) => server.call('POST', '/user/recovery_email/confirm', { body: { token } });

describe('the recovery address', () => {
  it('is used once the link mailed to it was opened, and the one before stays in use until then', async () => {
    const ana = await buildPerson();
    const saved = await ana.save('Ana.First@Recovery.test');
    expect(saved.body.data).toEqual({
      recovery_email: 'ana.first@recovery.test',
      recovery_email_confirmed: false,
      recovery_email_in_force: null,
      recovery_email_lapsed: false,
    });
    expect((await ana.user.reload()).confirmedRecoveryEmail).toBeNull();
    const first = tokenOf(await linkMailedTo(server.app, 'ana.first@recovery.test', subject));
    expect((await confirm(first)).body.data).toEqual({ recovery_email: 'ana.first@recovery.test' });
    expect((await confirm(first)).status).toBe(400);

    expect((await ana.save('ana.second@recovery.test')).body.data).toEqual({
      recovery_email: 'ana.second@recovery.test',
      recovery_email_confirmed: false,
      recovery_email_in_force: 'ana.first@recovery.test',
      recovery_email_lapsed: false,
    });
    expect((await ana.user.reload()).confirmedRecoveryEmail).toBe('ana.first@recovery.test');
    expect((await mailsTo(server.app, 'ana.first@recovery.test'))[0]?.subject).toBe('Your recovery email was changed');
    const second = tokenOf(await linkMailedTo(server.app, 'ana.second@recovery.test', subject));
    expect((await confirm(second)).status).toBe(200);
    expect((await ana.user.reload()).confirmedRecoveryEmail).toBe('ana.second@recovery.test');
    const where = { entity: 'user', entityId: ana.user.id, action: { [Op.startsWith]: 'recovery-email:' } };
    const events = await AuditEvent.findAll({ where, order: [['id', 'ASC']] });
    // A link is opened by the owner of the address, who may be another person
    expect(events.map(({ action, actorId }) => [action, actorId])).toEqual([
      ['recovery-email:changed', ana.user.id],
      ['recovery-email:confirmed', null],
      ['recovery-email:changed', ana.user.id],
      ['recovery-email:confirmed', null],
    ]);
  });

  it('cannot be confirmed with a link of an address that was changed since, nor with one for another purpose', async () => {
    const ben = await buildPerson();
    await ben.save('ben.old@recovery.test');
    const old = tokenOf(await linkMailedTo(server.app, 'ben.old@recovery.test', subject));
    await ben.save('ben.new@recovery.test');
    expect((await confirm(old)).status).toBe(400);
    const reset = await inTransaction(systemContext(server.app), (tx) =>
      createLink(tx, ben.user, 'set_password', 'ben.new@recovery.test'),
    );
    expect((await confirm(tokenOf(reset))).status).toBe(400);
    const fresh = tokenOf(await linkMailedTo(server.app, 'ben.new@recovery.test', subject));
    expect((await server.call('POST', '/user/set_password/check', { body: { token: fresh } })).status).toBe(400);
    await ben.user.update({ recoveryEmail: 'ben.later@recovery.test' });
    expect((await confirm(fresh)).status).toBe(400);
    expect((await ben.user.reload()).confirmedRecoveryEmail).toBeNull();
  });

  it('is not confirmed while its owner may not log in, and the link works once they may again', async () => {
    const flo = await buildPerson();
    await flo.save('flo@recovery.test');
    const token = tokenOf(await linkMailedTo(server.app, 'flo@recovery.test', subject));
    await flo.company.update({ activeStatus: false });
    expect((await confirm(token)).body['code']).toBe('link_invalid');
    expect((await flo.user.reload()).confirmedRecoveryEmail).toBeNull();
    await flo.company.update({ activeStatus: true });
    expect((await confirm(token)).status).toBe(200);
  });

  it('needs the password, and another mailbox than the one it recovers', async () => {
    const cem = await buildPerson({ local: 'cem' });
    expect((await cem.save('cem@recovery.test', 'not the password')).body.errors).toHaveProperty('password');
    const domain = cem.domain.domainName;
    const own = [(await buildAlias(cem)).address, (await buildGroup(cem, { members: [cem] })).address];
    const mailbox = [`cem@${domain}`, `CEM@${domain}`, `cem+tag@${domain}`];
    for (const bad of ['nonsense', 'a b@c.test', 'x@y', ...mailbox, ...own]) {
      const answer = await cem.save(bad);
      expect([bad, answer.status]).toEqual([bad, 422]);
      expect(answer.body.errors).toHaveProperty('recovery_email');
    }
    expect((await cem.user.reload()).recoveryEmail).toBeNull();
  });

  it('is no address of the company that others may lead elsewhere', async () => {
    const cem = await buildPerson({ local: 'cem2' });
    const colleague = await buildMailbox(server.app, { tenant: cem, roleNumber: builtInRole.admin });
    const shared = [
      (await buildAlias(colleague)).address,
      (await buildGroup(cem, { members: [cem, colleague] })).address,
      `postmaster@${cem.domain.domainName}`,
    ];
    for (const address of shared) {
      const answer = await cem.save(address);
      expect([address, answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([
        address,
        422,
        ['recovery_email'],
      ]);
    }
    expect((await cem.save(colleague.user.email)).status).toBe(200);
  });

  it('is no mailbox of a person who may do less: those who may change that person could open it', async () => {
    const boss = await buildPerson({ roleNumber: builtInRole.admin });
    const colleague = await buildMailbox(server.app, { tenant: boss });
    const refused = await boss.save(colleague.user.email);
    expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([422, ['recovery_email']]);
    // Confirmed while the two could do the same
    const address = colleague.user.email;
    const confirmed = { confirmedRecoveryEmail: address, confirmedRecoveryUserId: String(colleague.user.id) };
    await boss.user.update({ recoveryEmail: address, ...confirmed });
    expect((await boss.resend()).body.errors).toHaveProperty('recovery_email');
    const { body } = await server.call('GET', '/user/info', { token: boss.token });
    const unused = { recovery_email_confirmed: false, recovery_email_in_force: null };
    expect(body.data).toMatchObject({ recovery_email: address, ...unused, recovery_email_lapsed: true });
  });

  it('counts anew for the next owner of the mailbox only once that person has agreed too', async () => {
    const ida = await buildPerson();
    const first = await buildMailbox(server.app, { tenant: ida, local: 'next' });
    const address = first.user.email;
    expect((await ida.save(address)).status).toBe(200);
    const old = tokenOf(await linkMailedTo(server.app, address, subject));
    const now = new Date();
    await first.user.update({ deletedAt: now, erasedAt: now });
    await eraseUserRows(systemContext(server.app), String(first.user.id));
    const second = await buildMailbox(server.app, { tenant: ida, local: 'next' });
    expect((await confirm(old)).body['code']).toBe('link_invalid');
    expect((await ida.resend()).status).toBe(200);
    const fresh = tokenOf(await linkMailedTo(server.app, address, subject));
    expect((await confirm(fresh)).status).toBe(200);
    const { confirmedRecoveryEmail, confirmedRecoveryUserId } = await ida.user.reload();
    expect([confirmedRecoveryEmail, String(confirmedRecoveryUserId)]).toEqual([address, String(second.user.id)]);
  });

  it('is removed by an empty address, with the links that were mailed to it', async () => {
    const dan = await buildPerson({
      user: { recoveryEmail: 'dan@recovery.test', confirmedRecoveryEmail: 'dan@recovery.test' },
    });
    const link = await inTransaction(systemContext(server.app), (tx) =>
      createLink(tx, dan.user, 'set_password', 'dan@recovery.test'),
    );
    expect((await dan.save('')).body.data).toEqual({
      recovery_email: null,
      recovery_email_confirmed: false,
      recovery_email_in_force: null,
      recovery_email_lapsed: false,
    });
    expect(await dan.user.reload()).toMatchObject({ recoveryEmail: null, confirmedRecoveryEmail: null });
    const body = { token: tokenOf(link) };
    expect((await server.call('POST', '/user/set_password/check', { body })).status).toBe(400);
    expect((await mailsTo(server.app, 'dan@recovery.test'))[0]?.subject).toBe('Your recovery email was changed');
  });

  it('gets its link again on request, within a limit', async () => {
    const eva = await buildPerson();
    expect((await eva.resend()).body).toMatchObject({ code: 'nothing_to_confirm' });
    await eva.save('eva@recovery.test');
    const statuses: number[] = [];
    for (let count = 0; count < 5; count += 1) statuses.push((await eva.resend()).status);
    expect(statuses).toEqual([200, 200, 200, 200, 429]);
    const token = tokenOf(await linkMailedTo(server.app, 'eva@recovery.test', subject));
    expect((await confirm(token)).status).toBe(200);
  });
});
