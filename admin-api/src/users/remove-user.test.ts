import { systemContext } from '@selvage/core/context/context';
import { encodePassword } from '@selvage/core/contracts/fields';
import { resolveRecipient } from '@selvage/core/directory/resolve-recipient';
import { AuditEvent } from '@selvage/core/models/audit-event';
import { OutboxRow } from '@selvage/core/models/outbox-row';
import { User } from '@selvage/core/models/user';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildCompany, buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { until } from '../../../tests/support/until.ts';
import { openSocket } from '../test-socket.ts';
import { type Answer, startTestServer, type TestServer } from '../test-server.ts';
import { type Administrator, buildAdministrator, buildProvider, buildRole, deleteCompany } from '../test-people.ts';

let server: TestServer;
let admin: Administrator;

beforeAll(async () => {
  server = await startTestServer();
  admin = await buildAdministrator(server);
});

const colleague = (user: object = {}) => buildMailbox(server.app, { tenant: admin, user });
const remove = (caller: Administrator, { user }: Mailbox) => caller.call('DELETE', `/user/delete/${user.id}`);
const restore = (caller: Administrator, { user }: Mailbox) => caller.call('PATCH', `/user/restore/${user.id}`);
const erase = (caller: Administrator, { user }: Mailbox) =>
  caller.call('DELETE', `/user/permanently/delete/${user.id}`);
const off = { active_status: false };
const lost = { password: encodePassword('another pass phrase') };
const codeOf = ({ status, body }: Answer) => [status, body['code']];
const resolve = (address: string) => resolveRecipient(systemContext(server.app), address);

describe('deleting a person', () => {
  it('ends their sessions and live connections, and refuses their mail', async () => {
    const person = await colleague();
    const { token } = await server.signIn(person.user.email, person.password);
    const socket = await openSocket(server, token);
    const answer = await remove(admin, person);
    expect(answer.body).toMatchObject({ message: 'User deleted successfully', data: { abilities: { restore: true } } });
    await until('the connection is closed', () => socket.readyState === WebSocket.CLOSED);
    expect(codeOf(await server.call('GET', '/user/info', { token }))).toEqual([401, 'account_unusable']);
    expect((await server.signIn(person.user.email, person.password)).token).toBe('');
    expect(await resolve(person.user.email)).toMatchObject({ kind: 'reject', code: 550, enhancedCode: '5.1.1' });
    const [event] = await AuditEvent.findAll({ where: { action: 'user:deleted', entityId: person.user.id } });
    expect(event).toMatchObject({ actorId: admin.user.id, details: { endedSessions: 1 } });
    expect(codeOf(await remove(admin, person))).toEqual([409, 'deleted']);
  });

  it('is not done to oneself, nor to a person of another company', async () => {
    expect(codeOf(await remove(admin, admin))).toEqual([409, 'own_account']);
    const foreign = await buildMailbox(server.app);
    for (const call of [remove, restore, erase]) {
      expect(codeOf(await call(admin, foreign))).toEqual([404, 'user_not_found']);
    }
  });

  it('leaves the provider one Super Admin when two delete each other at the same moment', async () => {
    for (let round = 0; round < 5; round += 1) {
      const first = await buildProvider(server);
      const second = await buildAdministrator(server, { tenant: first, roleNumber: 0 });
      const answers = await Promise.all([remove(first, second), remove(second, first)]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(await User.count({ where: { companyId: first.company.id, deletedAt: null } })).toBe(1);
    }
  });

  it.each([
    ['delete', remove],
    ['switch off', (caller: Administrator, { user }: Mailbox) => caller.call('PUT', `/user/update/${user.id}`, off)],
    [
      'set the password of',
      (caller: Administrator, { user }: Mailbox) => caller.call('PUT', `/user/update/${user.id}`, lost),
    ],
  ])('lets one succeed of two administrators who %s each other at the same moment', async (_what, act) => {
    for (let round = 0; round < 4; round += 1) {
      const first = await buildAdministrator(server);
      const second = await buildAdministrator(server, { tenant: first });
      const answers = await Promise.all([act(first, second), act(second, first)]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    }
  });

  it('takes a tenant its Super Admin, since the provider can make another', async () => {
    const tenant = await buildAdministrator(server, { roleNumber: 0 });
    const provider = await buildProvider(server);
    expect((await remove(provider, tenant)).status).toBe(200);
  });
});

describe('restoring a person', () => {
  it('brings them back as they were, with the same password and the same mail', async () => {
    const person = await colleague({ bio: 'Hi', activeStatus: true });
    await remove(admin, person);
    const answer = await restore(admin, person);
    expect(answer.body).toMatchObject({ message: 'User restored successfully', data: { deletedAt: null, bio: 'Hi' } });
    expect((await resolve(person.user.email)).kind).toBe('deliver');
    expect((await server.signIn(person.user.email, person.password)).token).not.toBe('');
    expect(codeOf(await restore(admin, person))).toEqual([409, 'not_deleted']);
    const off = await colleague({ activeStatus: false, deletedAt: new Date() });
    expect((await restore(admin, off)).body.data).toMatchObject({ active_status: false });
  });

  it('needs their company to be there', async () => {
    const tenant = await buildCompany(server.app);
    const person = await buildMailbox(server.app, { tenant, user: { deletedAt: new Date() } });
    await deleteCompany(tenant);
    const provider = await buildProvider(server);
    const answer = await restore(provider, person);
    expect(codeOf(answer)).toEqual([409, 'company_deleted']);
    expect(answer.body['message']).toBe('The company of this user is deleted. Restore the company first.');
  });

  it('needs their role to be there', async () => {
    const role = await buildRole(admin, [['inbox', 'view']]);
    const person = await colleague({ roleId: String(role.id) });
    await remove(admin, person);
    expect((await admin.call('DELETE', `/role/delete/${role.id}`)).status).toBe(200);
    const answer = await restore(admin, person);
    expect(codeOf(answer)).toEqual([409, 'role_deleted']);
    expect(answer.body['message']).toBe('The role of this user is deleted. Restore the role first.');
    expect((await admin.call('PATCH', `/role/restore/${role.id}`)).status).toBe(200);
    expect((await restore(admin, person)).status).toBe(200);
    expect((await server.signIn(person.user.email, person.password)).token).not.toBe('');
  });
});

describe('erasing a person', () => {
  it('comes after deleting them; then no call finds them, and a job removes the rest', async () => {
    const person = await colleague();
    expect(codeOf(await erase(admin, person))).toEqual([409, 'not_deleted']);
    await remove(admin, person);
    const answer = await erase(admin, person);
    expect(answer.body).toMatchObject({ success: true, message: 'User permanently deleted' });
    expect(await person.user.reload()).toMatchObject({ erasedAt: expect.any(Date) });
    const jobs = await OutboxRow.findAll({ where: { dedupeId: `erase-user-${person.user.id}` } });
    expect(jobs.map(({ jobName, payload }) => [jobName, payload])).toEqual([
      ['directory.erase-user', { userId: String(person.user.id) }],
    ]);
    for (const call of [remove, restore, erase]) expect((await call(admin, person)).status).toBe(404);
    expect(await AuditEvent.count({ where: { action: 'user:erased', entityId: person.user.id } })).toBe(1);
  });
});
