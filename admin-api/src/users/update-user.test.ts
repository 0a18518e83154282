import { randomUUID } from 'node:crypto';
import { encodePassword } from '@selvage/core/contracts/fields';
import { gatesNothing, isProviderOnly, modelNames, permissionActions } from '@selvage/core/contracts/permissions';
import type { UserDetailDto } from '@selvage/core/contracts/users';
import { inTransaction, systemContext } from '@selvage/core/context/context';
import { createLink } from '@selvage/core/directory/one-time-links';
import { resolveRecipient } from '@selvage/core/directory/resolve-recipient';
import { AppPassword } from '@selvage/core/models/app-password';
import { AuditEvent } from '@selvage/core/models/audit-event';
import { Session } from '@selvage/core/models/session';
import { UserPermission } from '@selvage/core/models/user-permission';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { linkMailedTo, mailsTo, tokenOf } from '../account/test-mails.ts';
import { type Answer, startTestServer, type TestServer } from '../test-server.ts';
import {
  type Administrator,
  buildAdministrator,
  buildDomain,
  buildProvider,
  buildRole,
  signInAs,
} from '../test-people.ts';

let server: TestServer;
let admin: Administrator;

beforeAll(async () => {
  server = await startTestServer();
  admin = await buildAdministrator(server);
});

const change = (caller: Administrator, { user }: Mailbox, body: object) =>
  caller.call('PUT', `/user/update/${user.id}`, body);
const colleague = (user: object = {}) => buildMailbox(server.app, { tenant: admin, user });
const codeOf = ({ status, body }: Answer) => [status, body['code']];
const resolve = (address: string) => resolveRecipient(systemContext(server.app), address);

/** What the person's own token is answered. */
async function ownAnswer(token: string) {
  return codeOf(await server.call('GET', '/user/info', { token }));
}

describe('changing a person', () => {
  it('writes the fields that were sent, and no others', async () => {
    const person = await colleague({ bio: 'Before', country: 'India' });
    const values = { fname: 'Anna', lname: 'Bell', phone_number: '0123456789', designation: 'Weaver', bio: '' };
    const answer = await change(admin, person, { ...values, email: person.user.email, version: 1 });
    expect(answer.body).toMatchObject({
      message: 'User updated successfully',
      data: { ...values, bio: null, country: 'India', version: 2, email: person.user.email },
    });
    const [event] = await AuditEvent.findAll({ where: { action: 'user:updated', entityId: person.user.id } });
    expect(event).toMatchObject({
      actorId: admin.user.id,
      details: { version: 2, fields: expect.arrayContaining(['fname', 'phone_number', 'designation', 'bio']) },
    });
    // As a form of the browser sends it
    const form = new FormData();
    for (const [name, value] of Object.entries({ loginAllowed: 'false', version: '2' })) form.append(name, value);
    expect((await change(admin, person, form)).body.data).toMatchObject({ loginAllowed: false, version: 3 });
  });

  it('takes names with hyphens and apostrophes, and none with other signs', async () => {
    const person = await colleague();
    const names = { fname: 'Anne-Marie', lname: "O'Brien" };
    expect((await change(admin, person, names)).body.data).toMatchObject(names);
    for (const [fname, problem] of [
      ['Ann\nBcc: all', 'One line without control characters'],
      ['R2 D2', 'First name should only contain letters, spaces, hyphens, apostrophes and full stops'],
    ]) {
      const refused = await change(admin, person, { fname, bio: 'two\nlines' });
      expect([refused.status, refused.body.errors]).toEqual([422, { fname: problem }]);
    }
    // The form sends the present name as well
    const other = await colleague({ fname: 'Reception 2' });
    const kept = await change(admin, other, { fname: 'Reception 2', bio: 'two\nlines' });
    expect(kept.body.data).toMatchObject({ fname: 'Reception 2', bio: 'two\nlines' });
  });

  it('of an older version is refused, and shows the person as they are now', async () => {
    const person = await colleague();
    await change(admin, person, { fname: 'One', version: 1 });
    const refused = await change(admin, person, { fname: 'Two', version: 1 });
    expect(codeOf(refused)).toEqual([409, 'changed_meanwhile']);
    expect(refused.body['conflict']).toMatchObject({ fields: ['fname'], current: { fname: 'One', version: 2 } });
    const two = await Promise.all(['x', 'y'].map((fname) => change(admin, person, { fname, version: 2 })));
    expect(two.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  it('leaves the address with its domain as it is, and the picture to its owner', async () => {
    const person = await colleague();
    const other = await buildDomain(admin);
    for (const [field, value] of [
      ['email', `other@${admin.domain.domainName}`],
      ['domain_id', String(other.id)],
      ['avatar', ''],
    ] as const) {
      const answer = await change(admin, person, { [field]: value });
      expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, [field]]);
    }
    const same = { domain_id: String(admin.domain.id), bio: 'As it is' };
    expect((await change(admin, person, same)).body.data).toMatchObject(same);
  });

  it('of another company, or one that is deleted, changes nothing', async () => {
    const foreign = await buildMailbox(server.app);
    expect(codeOf(await change(admin, foreign, { fname: 'x' }))).toEqual([404, 'user_not_found']);
    const gone = await colleague({ deletedAt: new Date() });
    expect(codeOf(await change(admin, gone, { fname: 'x' }))).toEqual([409, 'deleted']);
  });
});

describe('the role of a person', () => {
  it('holds from their next request on, and both roles are in the audit trail', async () => {
    const person = await colleague();
    const { token } = await server.signIn(person.user.email, person.password);
    const { body } = await change(admin, person, { role_id: String(admin.roles.get(1)?.id) });
    expect((body.data as UserDetailDto).role_id.role_id).toBe(1);
    expect(await ownAnswer(token)).toEqual([401, 'token_outdated']);
    const [event] = await AuditEvent.findAll({ where: { action: 'user:updated', entityId: person.user.id } });
    expect(event?.details).toMatchObject({ fields: ['role_id'], before: { role: 'User' }, after: { role: 'Admin' } });
    // The session goes on
    expect(await Session.count({ where: { userId: person.user.id, endedAt: null } })).toBe(1);
    const both = { fname: 'Meera', bio: 'Weaves', role_id: String(admin.roles.get(2)?.id), active_status: 'false' };
    await change(admin, person, both);
    const last = await AuditEvent.findOne({
      where: { action: 'user:updated', entityId: person.user.id, details: { version: 3 } },
    });
    expect(last?.details).toMatchObject({
      before: { fname: 'Ana', role: 'Admin', active_status: true },
      after: { fname: 'Meera', role: 'User', active_status: false },
    });
    expect(JSON.stringify(last?.details)).not.toContain('Weaves');
  });

  it('is one of their company, with no flag that the caller does not hold', async () => {
    const person = await colleague();
    const foreign = await buildMailbox(server.app);
    const wrong = await change(admin, person, { role_id: String(foreign.role.id) });
    expect([wrong.status, Object.keys(wrong.body.errors ?? {})]).toEqual([422, ['role_id']]);
    const planner = await buildRole(admin, [['clients', 'view']]);
    for (const role of [planner, admin.roles.get(0)]) {
      const answer = await change(admin, person, { role_id: String(role?.id) });
      expect(codeOf(answer)).toEqual([403, 'not_yours_to_grant']);
    }
    expect(String((await person.user.reload()).roleId)).toBe(String(person.role.id));
  });

  it('may be User when the caller holds each flag that the matrix shows, by a role of their own', async () => {
    const shown = modelNames.map((model): Parameters<typeof buildRole>[1][number] => [
      model,
      ...permissionActions.filter((action) => !gatesNothing(model, action) && !isProviderOnly(model, action)),
    ]);
    const custom = await buildRole(admin, shown);
    const staff = await signInAs(server, await colleague({ roleId: String(custom.id) }));
    const none = await buildRole(admin, []);
    const person = await colleague({ roleId: String(none.id) });
    const [user, chief] = [admin.roles.get(2), admin.roles.get(1)];
    expect((await change(staff, person, { role_id: String(user?.id) })).status).toBe(200);
    expect((await change(staff, person, { fname: 'Meera' })).body.data).toMatchObject({ fname: 'Meera' });
    expect((await change(staff, person, { role_id: String(chief?.id) })).status).toBe(200);
  });
});

describe('a person who may do more than the caller', () => {
  it('is neither changed nor deleted, restored, erased or given a password', async () => {
    const above = await buildMailbox(server.app, { tenant: admin, roleNumber: 0 });
    // By an entry of their own, not by their role
    const lifted = await colleague();
    const own = { companyId: String(admin.company.id), userId: String(lifted.user.id), model: 'clients' };
    await UserPermission.create({ ...own, canView: true });
    for (const person of [above, lifted]) {
      const password = encodePassword('another pass phrase');
      for (const body of [{ fname: 'x' }, { password }, { active_status: false }]) {
        expect(codeOf(await change(admin, person, body))).toEqual([403, 'outranked']);
      }
      const { id } = person.user;
      for (const [method, path] of [
        ['DELETE', `/user/delete/${id}`],
        ['PATCH', `/user/restore/${id}`],
        ['DELETE', `/user/permanently/delete/${id}`],
      ] as const) {
        expect(codeOf(await admin.call(method, path))).toEqual([403, 'outranked']);
      }
      const before = person.user.passwordHash;
      expect(await person.user.reload()).toMatchObject({ passwordHash: before, deletedAt: null, fname: 'Ana' });
    }
  });
});

describe('switching a person off, and barring them', () => {
  it.each(['active_status', 'loginAllowed'] as const)('by %s ends their sessions at once', async (field) => {
    const person = await colleague();
    const { token, refreshToken } = await server.signIn(person.user.email, person.password);
    expect((await change(admin, person, { [field]: false })).status).toBe(200);
    expect(await ownAnswer(token)).toEqual([401, 'account_unusable']);
    const refreshed = await server.call('POST', '/user/refresh', { body: { refreshToken } });
    expect(refreshed.status).toBe(401);
    // A person who is barred still gets their mail; senders keep that for one who is switched off
    expect((await resolve(person.user.email)).kind).toBe(field === 'active_status' ? 'defer' : 'deliver');
    expect((await change(admin, person, { [field]: true })).status).toBe(200);
    expect(await ownAnswer(token)).toEqual([401, 'session_ended']);
    expect((await resolve(person.user.email)).kind).toBe('deliver');
    expect((await server.signIn(person.user.email, person.password)).token).not.toBe('');
  });

  it('is in the audit trail with the state before and after', async () => {
    const person = await colleague();
    await change(admin, person, { active_status: false, loginAllowed: true });
    const [event] = await AuditEvent.findAll({ where: { action: 'user:updated', entityId: person.user.id } });
    const { before, after } = { before: null, after: null, ...event?.details };
    expect([before, after]).toEqual([{ active_status: true }, { active_status: false }]);
  });
});

describe('a password that an administrator sets', () => {
  it('ends every way in, and has to be changed at the next login', async () => {
    const person = await colleague();
    const { token } = await server.signIn(person.user.email, person.password);
    const owner = { companyId: String(admin.company.id), userId: String(person.user.id) };
    await AppPassword.create({ ...owner, appName: 'phone', passwordHash: 'h' });
    const password = encodePassword('set by an administrator');
    expect((await change(admin, person, { password })).status).toBe(200);
    expect(codeOf(await server.call('GET', '/user/active_sessions', { token }))).toEqual([401, 'session_ended']);
    expect(await AppPassword.count({ where: { userId: person.user.id } })).toBe(0);
    expect((await server.signIn(person.user.email, person.password)).token).toBe('');
    const next = await server.signIn(person.user.email, 'set by an administrator');
    const refused = await server.call('GET', '/mailsetting/signature/get/all', { token: next.token });
    expect(codeOf(refused)).toEqual([403, 'password_change_required']);
    const events = await AuditEvent.findAll({ where: { entityId: person.user.id } });
    expect(events.map(({ action }) => action)).toContain('password:set-by-administrator');
    expect(JSON.stringify(events)).not.toContain('argon2');
  });

  it('leaves the person no recovery address of before, confirmed or not', async () => {
    for (const isConfirmed of [true, false]) {
      const address = `${randomUUID()}@remote.test`;
      const person = await colleague({ recoveryEmail: address, confirmedRecoveryEmail: isConfirmed ? address : null });
      const link = await inTransaction(systemContext(server.app), (tx) =>
        createLink(tx, person.user, 'confirm_recovery', address),
      );
      // As a form sends it that shows the address and does not change it
      const body = { password: encodePassword('set by an administrator'), recovery_email: address };
      const { data } = (await change(admin, person, body)).body;
      expect(data).toMatchObject({ recovery_email: null, recovery_email_confirmed: false, version: 2 });
      expect(await person.user.reload()).toMatchObject({ recoveryEmail: null, confirmedRecoveryEmail: null });
      const confirmed = await server.call('POST', '/user/recovery_email/confirm', { body: { token: tokenOf(link) } });
      expect(confirmed.status).toBe(400);
      for (const to of isConfirmed ? [person.user.email, address] : [person.user.email]) {
        const told = (await mailsTo(server.app, to)).find(({ subject }) => subject.startsWith('Your recovery'));
        expect(told?.text).toContain('The recovery email of your account was removed.');
      }
    }
  });

  it('comes with the recovery address that the same form enters, which waits to be confirmed', async () => {
    const person = await colleague({ recoveryEmail: 'old@remote.test', confirmedRecoveryEmail: 'old@remote.test' });
    const address = `${randomUUID()}@remote.test`;
    const password = encodePassword('set by an administrator');
    expect((await change(admin, person, { password, recovery_email: address })).status).toBe(200);
    expect(await person.user.reload()).toMatchObject({ recoveryEmail: address, confirmedRecoveryEmail: null });
    const token = tokenOf(await linkMailedTo(server.app, address, /^Confirm/));
    expect((await server.call('POST', '/user/recovery_email/confirm', { body: { token } })).status).toBe(200);
    expect((await person.user.reload()).confirmedRecoveryEmail).toBe(address);
  });

  it('comes with the confirmed recovery address when the same form goes back to it', async () => {
    const [own, thief] = [`${randomUUID()}@remote.test`, `${randomUUID()}@remote.test`];
    const person = await colleague({ recoveryEmail: thief, confirmedRecoveryEmail: own });
    const password = encodePassword('set by an administrator');
    expect((await change(admin, person, { password, recovery_email: own })).status).toBe(200);
    expect(await person.user.reload()).toMatchObject({ recoveryEmail: own, confirmedRecoveryEmail: own });
  });

  it('has at least eight characters, is not a common one, and not the address', async () => {
    const person = await colleague();
    for (const text of ['short 7', 'password1', person.user.email]) {
      const answer = await change(admin, person, { password: encodePassword(text) });
      expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, ['password']]);
    }
  });
});

describe('the recovery address of a person', () => {
  it('waits for its owner to confirm it, and the one before stays in use until then', async () => {
    const before = { recoveryEmail: 'old@remote.test', confirmedRecoveryEmail: 'old@remote.test' };
    const person = await colleague(before);
    const { body } = await change(admin, person, { recovery_email: 'New@Remote.test' });
    expect(body.data).toMatchObject({
      recovery_email: 'new@remote.test',
      recovery: { recovery_email: 'new@remote.test' },
      recovery_email_confirmed: false,
    });
    expect((await person.user.reload()).confirmedRecoveryEmail).toBe('old@remote.test');
    await change(admin, person, { recovery_email: '' });
    expect(await person.user.reload()).toMatchObject({ recoveryEmail: null, confirmedRecoveryEmail: null });
    const own = await change(admin, person, { recovery_email: person.user.email });
    expect([own.status, Object.keys(own.body.errors ?? {})]).toEqual([422, ['recovery_email']]);
  });

  it('stays as its owner has set it when a form is saved that was opened before', async () => {
    const person = await colleague();
    const { token } = await server.signIn(person.user.email, person.password);
    const opened = { recovery_email: '', version: 1 };
    const body = { recovery_email: 'owner@remote.test', password: encodePassword(person.password) };
    expect((await server.call('PUT', '/user/recovery_email', { token, body })).status).toBe(200);
    const refused = await change(admin, person, { fname: 'Anna', ...opened });
    expect(codeOf(refused)).toEqual([409, 'changed_meanwhile']);
    expect(refused.body['conflict']).toMatchObject({
      fields: ['recovery_email'],
      current: { recovery_email: 'owner@remote.test', version: 2 },
    });
    expect((await person.user.reload()).recoveryEmail).toBe('owner@remote.test');
  });

  it('gets thirty mails a day from administrators, over all of them, and another address still gets one', async () => {
    const address = `${randomUUID()}@remote.test`;
    const admins = [admin, await buildAdministrator(server)];
    const statuses: number[] = [];
    for (const caller of admins) {
      const person = await buildMailbox(server.app, { tenant: caller });
      for (let mail = 0; mail < 16; mail += 1) {
        statuses.push((await change(caller, person, { recovery_email: address })).status);
        await change(caller, person, { recovery_email: '' });
      }
    }
    expect(statuses).toEqual([...Array<number>(30).fill(200), 429, 429]);
    const other = await change(admin, await colleague(), { recovery_email: `${randomUUID()}@remote.test` });
    expect(other.status).toBe(200);
  });
});

describe('the own account', () => {
  it('is changed as a profile, never in its role, state or password', async () => {
    const caller = await buildAdministrator(server);
    const same = { role_id: String(caller.role.id), active_status: true, loginAllowed: true };
    const answer = await change(caller, caller, { designation: 'Head', ...same });
    expect(answer.body).toMatchObject({ message: 'Profile updated successfully', data: { designation: 'Head' } });
    const refused = {
      role_id: String(caller.roles.get(2)?.id),
      active_status: false,
      loginAllowed: false,
      password: encodePassword('another pass phrase'),
    };
    for (const [name, value] of Object.entries(refused)) {
      expect(codeOf(await change(caller, caller, { [name]: value }))).toEqual([409, 'own_account']);
    }
  });
});

describe('the last Super Admin of the provider', () => {
  it('stays when two demote or bar each other at the same moment', async () => {
    for (const field of ['role_id', 'active_status'] as const) {
      const first = await buildProvider(server);
      const second = await buildAdministrator(server, { tenant: first, roleNumber: 0 });
      const body = field === 'role_id' ? { role_id: String(first.roles.get(1)?.id) } : { active_status: false };
      const answers = await Promise.all([change(first, second, body), change(second, first, body)]);
      const codes = answers.map(codeOf);
      expect(codes).toContainEqual([200, undefined]);
      expect(codes.filter(([status]) => status === 200)).toHaveLength(1);
    }
  });

  it('stays, and not each Super Admin: while the caller is one, another can be switched off', async () => {
    const first = await buildProvider(server);
    const second = await buildMailbox(server.app, { tenant: first, roleNumber: 0 });
    expect((await change(first, second, { active_status: false })).status).toBe(200);
  });
});
