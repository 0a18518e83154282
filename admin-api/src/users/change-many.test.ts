import { builtInRole } from '@selvage/core/contracts/permissions';
import type { ManyUsersDto } from '@selvage/core/contracts/many-users';
import { AuditEvent } from '@selvage/core/models/audit-event';
import { User } from '@selvage/core/models/user';
import { loadActor } from '@selvage/core/access/load-actor';
import { systemContext } from '@selvage/core/context/context';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { until } from '../../../tests/support/until.ts';
import { actorContext } from '../http/request-context.ts';
import { type Administrator, buildAdministrator, buildProvider, buildRole } from '../test-people.ts';
import { openSocket } from '../test-socket.ts';
import { startTestServer, type TestServer } from '../test-server.ts';
import { changeMany } from './change-many.ts';

let server: TestServer;
let admin: Administrator;

beforeAll(async () => {
  server = await startTestServer();
  admin = await buildAdministrator(server);
});

const colleagues = (count: number) =>
  Promise.all(Array.from({ length: count }, () => buildMailbox(server.app, { tenant: admin })));
const idOf = ({ user }: Mailbox) => String(user.id);
const change = (people: Mailbox[], body: object, as = admin) =>
  as.call('PATCH', '/user/update_many', { ids: people.map(idOf), ...body });

describe('changing many people', () => {
  it('switches them off and on, ends their sessions, and leaves an event for each', async () => {
    const people = await colleagues(3);
    const [first] = people as [Mailbox];
    const { token } = await server.signIn(first.user.email, first.password);
    const socket = await openSocket(server, token);
    const answer = await change(people, { active_status: false });
    expect(answer.body.data).toEqual({ changed: people.map(idOf), refused: [] });
    await until('the connection is closed', () => socket.readyState === WebSocket.CLOSED);
    expect((await server.signIn(first.user.email, first.password)).token).toBe('');
    expect((await change(people, { active_status: true })).status).toBe(200);
    expect((await server.signIn(first.user.email, first.password)).token).not.toBe('');
    const events = await AuditEvent.count({ where: { action: 'user:updated', entityId: people.map(idOf) } });
    expect(events).toBe(6);
  });

  it('gives them another role from their next request on', async () => {
    const people = await colleagues(2);
    const [first] = people as [Mailbox];
    const { token } = await server.signIn(first.user.email, first.password);
    const role = await buildRole(admin, [['inbox', 'view']]);
    const answer = await change(people, { role_id: String(role.id) });
    expect(answer.body.data).toMatchObject({ refused: [] });
    expect((await server.call('GET', '/user/info', { token })).body['code']).toBe('token_outdated');
    const roles = await User.findAll({ where: { id: people.map(idOf) }, attributes: ['roleId'] });
    expect(roles.map(({ roleId }) => String(roleId))).toEqual([String(role.id), String(role.id)]);
  });

  it('changes those that it may and says why the others stay', async () => {
    const [person] = (await colleagues(1)) as [Mailbox];
    const above = await buildMailbox(server.app, { tenant: admin, roleNumber: builtInRole.superAdmin });
    const foreign = await buildMailbox(server.app);
    const answer = await change([admin, above, foreign, person, person], { active_status: false });
    expect(answer.body.data).toEqual({
      changed: [idOf(person)],
      refused: [
        { _id: idOf(admin), message: expect.stringContaining('your own account') },
        { _id: idOf(above), message: 'This person may do more than you, so you cannot change them.' },
        { _id: idOf(foreign), message: 'User not found.' },
      ],
    } satisfies ManyUsersDto);
  });

  it('stops when the rights of the caller change meanwhile, so that the browser goes on with a new token', async () => {
    const people = await colleagues(2);
    const ctx = systemContext(server.app);
    const loaded = await loadActor(ctx, idOf(admin), null);
    // As if another administrator changed the caller's permissions after the call was admitted
    const outdated = { ...loaded!.actor, tokenVersion: loaded!.actor.tokenVersion - 1 };
    const call = changeMany(
      actorContext(ctx, outdated),
      { ids: people.map(idOf), active_status: false },
      () => undefined,
    );
    await expect(call).rejects.toMatchObject({ status: 401, code: 'token_outdated' });
  });

  it('refuses the role of another company to each of them', async () => {
    const host = await buildProvider(server);
    const [person] = (await colleagues(1)) as [Mailbox];
    const other = await buildMailbox(server.app);
    const role = await buildRole(other, [['inbox', 'view']]);
    const answer = await change([person, other], { role_id: String(role.id) }, host);
    expect(answer.body.data).toEqual({
      changed: [idOf(other)],
      refused: [{ _id: idOf(person), message: 'Choose a role of the company' }],
    });
  });

  it.each([
    [{ ids: [] }, 'ids'],
    [{ ids: Array.from({ length: 101 }, (_, index) => String(index + 1)) }, 'ids'],
    [{ ids: ['1 OR 1=1'] }, 'ids.0'],
    [{ active_status: true, role_id: '1' }, 'active_status'],
    [{}, 'active_status'],
  ])('refuses %o', async (body, field) => {
    const change = 'ids' in body ? { active_status: false, ...body } : { ids: ['1'], ...body };
    const answer = await admin.call('PATCH', '/user/update_many', change);
    expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, [field]]);
  });
});
