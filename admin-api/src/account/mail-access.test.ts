import { loadActor } from '@selvage/core/access/load-actor';
import { encodePassword } from '@selvage/core/contracts/fields';
import type { MailAccessDto } from '@selvage/core/contracts/mail-access';
import { builtInRole } from '@selvage/core/contracts/permissions';
import { systemContext } from '@selvage/core/context/context';
import { eraseUserRows } from '@selvage/core/directory/erase-rows';
import { AppPassword } from '@selvage/core/models/app-password';
import { AuditEvent } from '@selvage/core/models/audit-event';
import { type ArchiveState, CompanyArchive } from '@selvage/core/models/company-archive';
import { MailCopy } from '@selvage/core/models/mail-copy';
import { User } from '@selvage/core/models/user';
import { beforeAll, describe, expect, it } from 'vitest';
import { explaining } from '../../../tests/support/explain.ts';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { buildAdministrator } from '../test-people.ts';
import { actorContext } from '../http/request-context.ts';
import { startTestServer, type TestServer } from '../test-server.ts';
import { readOwnMailAccess } from './mail-access.ts';
import { linkMailedTo, tokenOf } from './test-mails.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

const signIn = async ({ user, password }: Mailbox): Promise<string> =>
  (await server.signIn(user.email, password)).token;
const read = async (token: string): Promise<MailAccessDto> =>
  (await server.call('GET', '/user/mail_access', { token })).body.data as MailAccessDto;

async function forwardTo(person: Mailbox, token: string, address: string): Promise<void> {
  const body = { forward_to: address, password: encodePassword(person.password) };
  await server.call('PUT', '/user/forwarding', { token, body });
  const link = tokenOf(await linkMailedTo(server.app, address, /^Confirm that mail/));
  await server.call('POST', '/user/forwarding/confirm', { body: { token: link } });
}

describe('the list of what lets another person read the mail', () => {
  it('names nothing for a new person, and the session that asks does not count', async () => {
    const person = await buildMailbox(server.app);
    const none = { count: 0, last_used: null };
    expect(await read(await signIn(person))).toEqual({
      copies: [],
      archives: [],
      forwarded_to: [],
      administrators: [],
      other_sessions: none,
      passkeys: none,
      app_passwords: none,
    });
  });

  it('names other devices and mail programs with their last use', async () => {
    const person = await buildMailbox(server.app);
    const { id, companyId } = person.user;
    const lastUsedAt = new Date('2026-11-01T08:00:00Z');
    await AppPassword.create({
      companyId: String(companyId),
      userId: String(id),
      appName: 'Phone',
      passwordHash: `hash-${id}`,
      lastUsedAt,
    });
    await signIn(person);
    const found = await read(await signIn(person));
    expect(found.other_sessions).toEqual({ count: 1, last_used: expect.stringMatching(/Z$/) });
    expect(found.app_passwords).toEqual({ count: 1, last_used: lastUsedAt.toISOString() });
  });

  it('names the address that gets copies, and the one that got them before', async () => {
    const person = await buildMailbox(server.app);
    const token = await signIn(person);
    const [first, second] = [`first-${person.user.id}@remote.test`, `second-${person.user.id}@remote.test`];
    await forwardTo(person, token, first);
    expect((await read(token)).forwarded_to).toMatchObject([{ address: first, until: null, is_filtered: false }]);
    await forwardTo(person, token, second);
    expect((await read(token)).forwarded_to).toMatchObject([
      { address: second, until: null },
      { address: first, until: expect.stringMatching(/Z$/) },
    ]);
    await server.call('DELETE', '/user/forwarding', { token });
    const ended = (await read(token)).forwarded_to;
    expect(ended).toHaveLength(2);
    expect(ended.map(({ until }) => until)).not.toContain(null);
  });

  it('names all mail and what filters say as two times of the same address', async () => {
    const person = await buildMailbox(server.app);
    const token = await signIn(person);
    const address = `copies-${person.user.id}@remote.test`;
    const setFiltered = (isFiltered: boolean) =>
      server.call('PUT', '/user/forwarding/scope', { token, body: { forward_filtered: isFiltered } });
    await setFiltered(true);
    await forwardTo(person, token, address);
    await setFiltered(false);
    await setFiltered(true);
    const now = (await read(token)).forwarded_to;
    expect(now.map((one) => [one.address, one.is_filtered])).toEqual([
      [address, true],
      [address, false],
      [address, true],
    ]);
    expect(now.map(({ until }) => until)).toEqual([null, now[0]?.since, now[1]?.since]);
    await server.call('DELETE', '/user/forwarding', { token });
    const ended = (await read(token)).forwarded_to;
    expect(ended.map((one) => one.is_filtered)).toEqual([true, false, true]);
    expect(ended.map(({ until }) => until)).not.toContain(null);
  });

  it('names administrators who could have let themselves in, and not what the person did', async () => {
    const person = await buildMailbox(server.app, { user: { twoFactorStatus: false } });
    const boss = await buildMailbox(server.app, { tenant: person });
    const event = { entity: 'user', entityId: String(person.user.id), address: '192.0.2.7' };
    const at = (day: number): Date => new Date(Date.now() - day * 24 * 3_600_000);
    await AuditEvent.bulkCreate(
      [
        { action: 'password:set-by-administrator', actorId: String(boss.user.id), createdAt: at(3) },
        { action: 'two-factor:off', actorId: String(boss.user.id), createdAt: at(2) },
        { action: 'two-factor:off', actorId: String(person.user.id), createdAt: at(1) },
        { action: 'password:set-by-administrator', actorId: String(boss.user.id), createdAt: at(400) },
      ].map((one) => ({ ...event, details: null, ...one })),
    );
    const { administrators } = await read(await signIn(person));
    const name = `${boss.user.fname} ${boss.user.lname}`.trim();
    expect(administrators).toMatchObject([
      { action: 'two-factor:off', name, ip: '192.0.2.7' },
      { action: 'password:set-by-administrator', name },
    ]);
    expect((await read(await signIn(boss))).administrators).toEqual([]);
  });

  it('names an administrator that was permanently deleted by their address', async () => {
    const admin = await buildAdministrator(server);
    const [thief, person] = [
      await buildAdministrator(server, { tenant: admin }),
      await buildMailbox(server.app, { tenant: admin }),
    ];
    const password = encodePassword('set by an administrator');
    expect((await thief.call('PUT', `/user/update/${person.user.id}`, { password })).status).toBe(200);
    await admin.call('DELETE', `/user/delete/${thief.user.id}`);
    await admin.call('DELETE', `/user/permanently/delete/${thief.user.id}`);
    expect(await eraseUserRows(systemContext(server.app), String(thief.user.id))).toBe(true);
    await User.update({ passwordChangeRequired: false }, { where: { id: person.user.id } });
    const { token } = await server.signIn(person.user.email, 'set by an administrator');
    const act = { action: 'password:set-by-administrator', name: thief.user.email };
    expect((await read(token)).administrators).toMatchObject([act]);
  });

  it('names them behind any number of refused logins, which it does not read', async () => {
    const person = await buildMailbox(server.app);
    const { id } = person.user;
    await AuditEvent.create({
      entity: 'user',
      entityId: String(id),
      action: 'password:set-by-administrator',
      address: '192.0.2.7',
      details: null,
      createdAt: new Date(Date.now() - 3 * 24 * 3_600_000),
    });
    await server.app.db.query(
      `INSERT INTO audit_events (entity, entity_id, action, address, created_at)
       SELECT 'user', :id, 'mail-login:refused', '192.0.2.9', UTC_TIMESTAMP(3) FROM seq_1_to_6000`,
      { replacements: { id } },
    );
    await server.app.db.query('ANALYZE TABLE audit_events');
    const { ctx, plans } = explaining(server.app);
    const loaded = await loadActor(ctx, String(id), null);
    const found = await readOwnMailAccess(actorContext(ctx, loaded!.actor));
    expect(found.administrators.map(({ action }) => action)).toEqual(['password:set-by-administrator']);
    const steps = plans.flat().filter(({ key }) => key?.startsWith('audit_'));
    // The events themselves, and whether the actor of each was permanently deleted
    expect(steps).toHaveLength(2);
    for (const { rows } of steps) expect(Number(rows)).toBeLessThan(100);
  });

  it('names a recovery address that an administrator entered, and a password set with a link to it', async () => {
    const person = await buildMailbox(server.app);
    const { id } = person.user;
    const boss = await buildMailbox(server.app, { tenant: person, roleNumber: builtInRole.admin });
    const name = `${boss.user.fname} ${boss.user.lname}`.trim();
    const acts = async (password: string) => {
      const { token } = await server.signIn(person.user.email, password);
      return (await read(token)).administrators.map((act) => [act.action, act.name]);
    };
    const confirm = async (address: string) => {
      const token = tokenOf(await linkMailedTo(server.app, address, /^Confirm/));
      expect((await server.call('POST', '/user/recovery_email/confirm', { body: { token } })).status).toBe(200);
    };
    const setByLink = async (address: string, password: string) => {
      await server.call('POST', '/user/forgot_password', {
        body: { email: person.user.email, ...(await server.captcha()) },
      });
      const token = tokenOf(await linkMailedTo(server.app, address, /new password/));
      const encoded = encodePassword(password);
      const body = { token, new_password: encoded, confirm_password: encoded };
      expect((await server.call('POST', '/user/set_password', { body })).status).toBe(200);
    };
    const theirs = `boss-${id}@remote.test`;
    const body = { recovery_email: theirs };
    const changed = await server.call('PUT', `/user/update/${id}`, { token: await signIn(boss), body });
    expect(changed.status).toBe(200);
    expect(await acts(person.password)).toEqual([['recovery-email:changed', name]]);
    await confirm(theirs);
    await setByLink(theirs, 'seven green bottles');
    const both = [
      ['password:set-by-link', name],
      ['recovery-email:changed', name],
    ];
    expect(await acts('seven green bottles')).toEqual(both);
    // From the confirmation of the person's own address on, a link is theirs
    const own = `own-${id}@remote.test`;
    const { token } = await server.signIn(person.user.email, 'seven green bottles');
    const mine = { recovery_email: own, password: encodePassword('seven green bottles') };
    expect((await server.call('PUT', '/user/recovery_email', { token, body: mine })).status).toBe(200);
    await confirm(own);
    await setByLink(own, 'eight green bottles');
    expect(await acts('eight green bottles')).toEqual(both);
  });

  it('names the recovery address that a person was added with', async () => {
    const boss = await buildMailbox(server.app, { roleNumber: builtInRole.admin });
    const body = {
      fname: 'New',
      email: `new-${boss.user.id}@${boss.domain.domainName}`,
      password: encodePassword('seven green bottles'),
      role_id: String(boss.user.roleId),
      domain_id: String(boss.domain.id),
      recovery_email: `first-${boss.user.id}@remote.test`,
    };
    const added = await server.call('POST', '/user/create', { token: await signIn(boss), body });
    expect([added.status, added.body.message]).toEqual([200, expect.any(String)]);
    const { _id } = added.body.data as { _id: string };
    const events = await AuditEvent.findAll({ where: { entity: 'user', entityId: _id }, order: ['id'] });
    expect(events.map(({ action, actorId }) => [action, String(actorId)])).toEqual([
      ['user:created', String(boss.user.id)],
      ['recovery-email:changed', String(boss.user.id)],
    ]);
  });

  it('names archives of the company that were made, and not those of before', async () => {
    const person = await buildMailbox(server.app);
    const companyId = String(person.company.id);
    const archive = (askerName: string, more: { state: ArchiveState; finishedAt?: Date; createdAt?: Date }) => ({
      companyId,
      askerName,
      fileName: 'a.tar',
      cursorAt: {},
      ...more,
    });
    const finishedAt = new Date();
    const before = new Date(person.user.createdAt.getTime() - 60_000);
    await CompanyArchive.bulkCreate([
      archive('Before', { state: 'ready', finishedAt, createdAt: before }),
      archive('Gone', { state: 'removed', finishedAt }),
      archive('Stopped', { state: 'removed' }),
      archive('Failed', { state: 'failed', finishedAt }),
      archive('Kept', { state: 'ready', finishedAt }),
    ]);
    const { archives } = await read(await signIn(person));
    expect(archives.map(({ name, is_kept }) => [name, is_kept])).toEqual([
      ['Kept', true],
      ['Gone', false],
    ]);
    const stranger = await buildMailbox(server.app);
    expect((await read(await signIn(stranger))).archives).toEqual([]);
  });

  it('names readers of a copy, and tells a person nothing about the mail of another one', async () => {
    const person = await buildMailbox(server.app);
    const other = await buildMailbox(server.app, { tenant: person });
    await MailCopy.create({
      companyId: String(person.company.id),
      ownerId: String(person.user.id),
      viewerId: String(other.user.id),
      ownerEmail: person.user.email,
      ownerName: 'Owner',
      viewerEmail: other.user.email,
      viewerName: 'Reader',
      giverName: 'Boss',
      state: 'ready',
      cursors: {},
    });
    expect((await read(await signIn(person))).copies).toMatchObject([{ name: 'Reader', given_by: 'Boss' }]);
    expect((await read(await signIn(other))).copies).toEqual([]);
    expect((await server.call('GET', '/user/mail_access', {})).status).toBe(401);
  });
});
