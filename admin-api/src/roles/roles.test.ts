import type { Conflict } from '@selvage/core/contracts/endpoint';
import type { RoleDto } from '@selvage/core/contracts/roles';
import { AuditEvent } from '@selvage/core/models/audit-event';
import { Role } from '@selvage/core/models/role';
import { RolePermission } from '@selvage/core/models/role-permission';
import { OutboxRow } from '@selvage/core/models/outbox-row';
import { User } from '@selvage/core/models/user';
import { UserPermission } from '@selvage/core/models/user-permission';
import { holdSentMail } from '@selvage/core/jobs/hold-sent-mail';
import { loadActor } from '@selvage/core/access/load-actor';
import { systemContext } from '@selvage/core/context/context';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildCompany, buildMailbox, buildRole, type Mailbox } from '../../../tests/support/factories.ts';
import { actorContext } from '../http/request-context.ts';
import { findRoles } from './find-roles.ts';
import { type Administrator, buildAdministrator, buildProvider } from '../test-people.ts';
import { type Answer, startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;
/** The Admin of a tenant, and the Super Admin of the provider. */
let admin: Administrator;
let host: Administrator;

beforeAll(async () => {
  server = await startTestServer();
  admin = await buildAdministrator(server);
  host = await buildProvider(server);
});

const tokenOf = async ({ user, password }: Mailbox) => (await server.signIn(user.email, password)).token;
const call = (method: string, path: string, body?: unknown, as = admin.token) =>
  server.call(method, `/role${path}`, { token: as, ...(body ? { body } : {}) });
const dto = ({ body }: Answer) => body.data as RoleDto;
const companyId = ({ company }: { company: { id: string } }) => String(company.id);
const create = (role_name: string, more: object = {}, as = admin.token) =>
  call('POST', '/add/roles', { role_name, company_id: companyId(admin), ...more }, as);
const names = async (query: string, as = admin.token) =>
  ((await call('GET', `/get/all?${query}`, undefined, as)).body.data as RoleDto[]).map(({ role_name }) => role_name);
const withRole = (role: Role, tenant = admin) =>
  buildMailbox(server.app, { tenant, user: { roleId: String(role.id) } });

describe('the number of roles of a company', () => {
  it('is limited, deleted ones included', async () => {
    const tenant = await buildAdministrator(server);
    const known = await Role.count({ where: { companyId: companyId(tenant) } });
    await Role.bulkCreate(
      Array.from({ length: 199 - known }, (_, number) => ({
        companyId: companyId(tenant),
        roleId: 100 + number,
        roleName: `Filler ${number}`,
        deletedAt: new Date(),
      })),
    );
    const add = (role_name: string) => create(role_name, { company_id: companyId(tenant) }, tenant.token);
    const last = dto(await add('The last'));
    expect((await add('One more')).body).toMatchObject({ success: false, code: 'too_many_roles' });
    await call('DELETE', `/delete/${last._id}`, undefined, tenant.token);
    await call('DELETE', `/permanent-delete/${last._id}`, undefined, tenant.token);
    expect((await add('One more')).status).toBe(200);
  });
});

describe('roles', () => {
  it('are created with the next free number, listed, renamed, deleted, restored and erased', async () => {
    const made = dto(await create('Weavers'));
    expect(made).toMatchObject({
      role_name: 'Weavers',
      role_id: 3,
      company_id: { _id: companyId(admin), name: admin.company.name },
      permissions: [],
      people: 0,
      active_status: true,
      deletedAt: null,
      version: 1,
      abilities: { edit: true, delete: true, restore: false, erase: false, require_two_factor: true },
    });
    const renamed = dto(await call('PUT', `/update/${made._id}`, { role_name: 'Spinners', version: 1 }));
    expect(renamed).toMatchObject({ role_name: 'Spinners', version: 2 });
    expect(dto(await call('GET', `/get/${made._id}`))).toEqual(renamed);
    const deleted = dto(await call('DELETE', `/delete/${made._id}`));
    expect(deleted.deletedAt).not.toBeNull();
    expect(deleted.abilities).toMatchObject({ edit: false, restore: true, erase: true, require_two_factor: false });
    expect(await names('search=spinners')).toEqual([]);
    expect(await names('search=spinners&state=deleted')).toEqual(['Spinners']);
    expect(await names('search=spinners&deletedAt=true')).toEqual(['Spinners']);
    expect(dto(await call('PATCH', `/restore/${made._id}`)).deletedAt).toBeNull();
    expect((await call('DELETE', `/permanent-delete/${made._id}`)).body).toMatchObject({ code: 'not_deleted' });
    await call('DELETE', `/delete/${made._id}`);
    expect((await call('DELETE', `/permanent-delete/${made._id}`)).status).toBe(200);
    expect((await call('GET', `/get/${made._id}`)).status).toBe(404);
    const events = await AuditEvent.findAll({ where: { entity: 'role', entityId: made._id }, order: [['id', 'ASC']] });
    expect(events.map(({ action }) => action)).toEqual([
      'role:created',
      'role:updated',
      'role:deleted',
      'role:restored',
      'role:deleted',
      'role:erased',
    ]);
    expect(events.every((event) => String(event.companyId) === companyId(admin))).toBe(true);
  });

  it('may begin switched off, and keep their number and company', async () => {
    const made = dto(await create('Ginners', { active_status: false }));
    expect(made.active_status).toBe(false);
    const change = (body: object) => call('PUT', `/update/${made._id}`, body);
    expect(dto(await change({ role_id: made.role_id, active_status: true }))).toMatchObject({ active_status: true });
    const refused = await change({ role_id: made.role_id + 1, active_status: false });
    expect([refused.status, refused.body.errors]).toEqual([422, { role_id: 'The number of a role cannot be changed' }]);
    const moved = await change({ company_id: String(Number(companyId(admin)) + 1), active_status: false });
    expect([moved.status, moved.body.errors]).toEqual([422, { company_id: 'The company cannot be changed' }]);
    expect((await change({ company_id: companyId(admin) })).status).toBe(200);
    expect(dto(await call('GET', `/get/${made._id}`))).toMatchObject({ active_status: true, role_id: made.role_id });
  });

  it('take the smallest number that is free, or the one that is asked for', async () => {
    const tenant = await buildCompany(server.app);
    const add = async (role_name: string, role_id?: number) =>
      (await call('POST', '/add/roles', { role_name, role_id, company_id: companyId(tenant) }, host.token)).body;
    expect(await add('a')).toMatchObject({ data: { role_id: 3 } });
    expect(await add('b', 5)).toMatchObject({ data: { role_id: 5 } });
    expect(await add('c')).toMatchObject({ data: { role_id: 4 } });
    expect(await add('d')).toMatchObject({ data: { role_id: 6 } });
    for (const taken of [0, 2, 5]) {
      expect(await add('e', taken)).toMatchObject({
        code: 'role_number_taken',
        errors: { role_id: 'A role of this company has this number already' },
      });
    }
    await Role.update({ deletedAt: new Date() }, { where: { companyId: companyId(tenant), roleId: 5 } });
    expect(await add('e', 5)).toMatchObject({ code: 'role_number_taken' });
    for (const wrong of [-1, 1.5, 1_000_000]) expect((await create('e', { role_id: wrong })).status).toBe(422);
  });

  it('have a name of their own within the company, deleted ones included', async () => {
    const first = dto(await create('Dyers'));
    const taken = { role_name: 'A role of this company has this name already' };
    for (const name of ['Dyers', 'dyers', ' DYERS ']) {
      expect((await create(name)).body).toMatchObject({ code: 'role_name_taken', errors: taken });
    }
    expect((await create('admin')).body).toMatchObject({ code: 'role_name_taken' });
    const other = dto(await create('Finishers'));
    expect((await call('PUT', `/update/${other._id}`, { role_name: 'dyers' })).status).toBe(409);
    expect((await call('PUT', `/update/${first._id}`, { role_name: 'DYERS' })).status).toBe(200);
    await call('DELETE', `/delete/${first._id}`);
    expect((await create('Dyers')).body['message']).toMatch(/deleted role .* has this name/);
    const tenant = await buildCompany(server.app);
    expect((await create('Dyers', { company_id: companyId(tenant) }, host.token)).status).toBe(200);
  });

  it('that are made at the same time get different numbers, and one of equal ones is refused', async () => {
    const many = await Promise.all(['w', 'x', 'y', 'z'].map((name) => create(`At once ${name}`)));
    expect(many.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(many.map((answer) => dto(answer).role_id)).size).toBe(4);
    const same = await Promise.all([1, 2, 3, 4].map((number) => create('Twice', { role_id: 900 + number })));
    expect(same.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
    const numbers = await Promise.all([1, 2, 3, 4].map((number) => create(`Number ${number}`, { role_id: 777 })));
    expect(numbers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
  });

  it('say what is wrong with what was sent', async () => {
    expect((await call('POST', '/add/roles', {})).body.errors).toEqual({
      role_name: 'Role name is required',
      company_id: 'Company ID is required',
    });
    expect((await create('  ')).body.errors).toEqual({ role_name: 'Role name is required' });
    expect((await create('x'.repeat(101))).status).toBe(422);
  });

  it('that are built in neither change nor go, and offer nothing', async () => {
    for (const role of admin.roles.values()) {
      const id = String(role.id);
      expect(dto(await call('GET', `/get/${id}`, undefined, host.token)).abilities).toEqual({
        edit: false,
        delete: false,
        restore: false,
        erase: false,
        require_two_factor: true,
      });
      const answers = [
        await call('PUT', `/update/${id}`, { role_name: 'Mine' }, host.token),
        await call('DELETE', `/delete/${id}`, undefined, host.token),
        await call('PATCH', `/restore/${id}`, undefined, host.token),
        await call('DELETE', `/permanent-delete/${id}`, undefined, host.token),
      ];
      expect(answers.map(({ status, body }) => [status, body['code']])).toEqual(
        Array.from({ length: 4 }, () => [409, 'built_in_role']),
      );
    }
    expect(await Role.count({ where: { companyId: companyId(admin), deletedAt: null, roleId: [0, 1, 2] } })).toBe(3);
  });

  it('that people have are not deleted, and say how many have them', async () => {
    const role = await buildRole(admin);
    const people = [await withRole(role), await withRole(role)];
    const remove = () => call('DELETE', `/delete/${role.id}`);
    expect((await remove()).body).toMatchObject({
      code: 'role_in_use',
      message: '2 people still have this role. Give them another role first.',
    });
    expect(dto(await call('GET', `/get/${role.id}`)).people).toBe(2);
    await User.update({ deletedAt: new Date() }, { where: { id: people.map(({ user }) => user.id) } });
    expect((await remove()).status).toBe(200);
    // The deleted people can be restored, so their role is kept
    const erase = () => call('DELETE', `/permanent-delete/${role.id}`);
    expect((await erase()).body).toMatchObject({
      code: 'role_in_use',
      message: '2 deleted people still have this role. Restore the role, or delete them permanently first.',
    });
    // Until a job has removed them
    await User.update({ erasedAt: new Date() }, { where: { roleId: role.id } });
    expect((await erase()).body).toMatchObject({
      code: 'role_in_use',
      message: 'People with this role are still being deleted permanently. Try again in a moment.',
    });
    await User.destroy({ where: { roleId: role.id } });
    expect((await erase()).status).toBe(200);
    expect(await RolePermission.count({ where: { roleId: role.id } })).toBe(0);
  });

  it('end the sessions of their people when they are switched off, and let them in again when on', async () => {
    const role = await buildRole(admin, { permissions: [{ model: 'inbox', view: true }] });
    const person = await withRole(role);
    const theirs = await tokenOf(person);
    const info = () => server.call('GET', '/user/info', { token: theirs });
    expect((await info()).status).toBe(200);
    await call('PUT', `/update/${role.id}`, { active_status: false });
    expect((await info()).status).toBe(401);
    expect(await tokenOf(person)).toBe('');
    await call('PUT', `/update/${role.id}`, { active_status: true });
    expect((await info()).body).toMatchObject({ code: 'session_ended' });
    expect(await tokenOf(person)).not.toBe('');
  });

  it('are not switched off by a person who has them', async () => {
    const role = await buildRole(admin, { permissions: [{ model: 'role', view: true, edit: true, delete: true }] });
    const theirs = await tokenOf(await withRole(role));
    const off = await call('PUT', `/update/${role.id}`, { active_status: false }, theirs);
    expect([off.status, off.body['code']]).toEqual([409, 'own_role']);
    expect((await call('PUT', `/update/${role.id}`, { role_name: 'Renamed by us' }, theirs)).status).toBe(200);
    expect((await call('DELETE', `/delete/${role.id}`, undefined, theirs)).body).toMatchObject({ code: 'role_in_use' });
  });

  it.each([
    ['switches off the role of the first', 'PUT', ({ user }: Mailbox) => `/role/update/${user.roleId}`],
    ['deletes the first', 'DELETE', ({ user }: Mailbox) => `/user/delete/${user.id}`],
  ])(
    'leave one of two people in, where one switches off the role of the other, who %s',
    async (_what, method, pathTo) => {
      const all = { view: true, create: true, edit: true, delete: true };
      const withOwnRole = async () => {
        const person = await withRole(
          await buildRole(admin, { permissions: ['role', 'user'].map((model) => ({ model, ...all })) }),
        );
        return { ...person, token: await tokenOf(person) };
      };
      const off = { active_status: false };
      for (let round = 0; round < 6; round += 1) {
        const ana = await withOwnRole();
        const ben = await withOwnRole();
        const answers = await Promise.all([
          call('PUT', `/update/${ben.user.roleId}`, off, ana.token),
          server.call(method, pathTo(ana), { token: ben.token, ...(method === 'PUT' ? { body: off } : {}) }),
        ]);
        expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
        const tokens = [await tokenOf(ana), await tokenOf(ben)];
        expect(tokens.filter((token) => token !== '')).toHaveLength(1);
      }
    },
  );

  it('that may do more than the caller are not the caller to change', async () => {
    const all = { view: true, create: true, edit: true, delete: true };
    const small = await buildRole(admin, { permissions: [{ model: 'role', ...all }] });
    const large = await buildRole(admin, {
      permissions: [
        { model: 'role', ...all },
        { model: 'backup', view: true },
      ],
    });
    const theirs = await tokenOf(await withRole(small));
    const own = dto(await call('GET', `/get/${large.id}`, undefined, theirs));
    expect(own.abilities).toMatchObject({ edit: false, delete: false, require_two_factor: false });
    for (const [method, path, body] of [
      ['PUT', '/update', { active_status: false }],
      ['DELETE', '/delete', undefined],
    ] as const) {
      const answer = await call(method, `${path}/${large.id}`, body, theirs);
      expect([answer.status, answer.body['code']]).toEqual([403, 'outranked']);
    }
    expect((await large.reload()).activeStatus).toBe(true);
  });

  it('of people who may do more than the caller are not switched off', async () => {
    const all = { view: true, create: true, edit: true, delete: true };
    const small = await buildRole(admin, { permissions: [{ model: 'role', ...all }] });
    const shared = await buildRole(admin);
    const strong = await withRole(shared);
    const own = { companyId: companyId(admin), userId: String(strong.user.id), model: 'user' };
    await UserPermission.create({ ...own, canEdit: true });
    const theirs = await tokenOf(await withRole(small));
    const answer = await call('PUT', `/update/${shared.id}`, { active_status: false }, theirs);
    expect([answer.status, answer.body['code']]).toEqual([403, 'outranked']);
    expect((await call('PUT', `/update/${shared.id}`, { role_name: 'Weavers of all' }, theirs)).status).toBe(200);
    expect((await call('PUT', `/update/${shared.id}`, { active_status: false })).status).toBe(200);
    const held = { jobName: holdSentMail.name, dedupeId: holdSentMail.dedupe({ userId: String(strong.user.id) }) };
    expect(await OutboxRow.count({ where: held })).toBe(1);
  });

  it('that two people edit at once are saved by one, and the other is told what changed', async () => {
    const { _id } = dto(await create('Two tabs'));
    const edits = ['one', 'two', 'three'].map((name) => ({ role_name: `Tab ${name}`, version: 1 }));
    const answers = await Promise.all(edits.map((edit) => call('PUT', `/update/${_id}`, edit)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    const current = dto(await call('GET', `/get/${_id}`));
    for (const { body } of answers.filter(({ status }) => status === 409)) {
      expect(body).toMatchObject({ code: 'changed_meanwhile' });
      expect(body['conflict'] as Conflict).toMatchObject({ fields: ['role_name'], current });
    }
  });

  it('of another company are out of reach, and those of all are open to the provider', async () => {
    const other = await buildCompany(server.app);
    const theirs = await buildRole(other, { name: 'Far away' });
    for (const [method, path] of [
      ['GET', 'get'],
      ['PUT', 'update'],
      ['DELETE', 'delete'],
      ['PATCH', 'restore'],
      ['DELETE', 'permanent-delete'],
    ] as const) {
      const answer = await call(method, `/${path}/${theirs.id}`, method === 'PUT' ? { role_name: 'x' } : undefined);
      expect([path, answer.status, answer.body['code']]).toEqual([path, 404, 'role_not_found']);
    }
    expect((await create('Mine', { company_id: companyId(other) })).status).toBe(404);
    const all = `company_id=${companyId(other)}`;
    expect(await names(all)).toEqual([]);
    expect(await names('search=far')).toEqual([]);
    expect(await names(all, host.token)).toEqual(['Admin', 'Far away', 'Super Admin', 'User']);
    expect(await names(`${all}&sort=-role_id`, host.token)).toEqual(['Far away', 'User', 'Admin', 'Super Admin']);
    expect((await create('Theirs', { company_id: companyId(other) }, host.token)).status).toBe(200);
    await other.company.update({ deletedAt: new Date() });
    expect(await names(all, host.token)).toEqual([]);
    const late = await create('Late', { company_id: companyId(other) }, host.token);
    expect(late.body).toMatchObject({ code: 'deleted' });
  });

  it('are filtered by their state', async () => {
    const tenant = await buildCompany(server.app);
    await buildRole(tenant, { name: 'On' });
    await (await buildRole(tenant, { name: 'Off' })).update({ activeStatus: false });
    await (await buildRole(tenant, { name: 'Gone' })).update({ deletedAt: new Date() });
    const of = (state: string) => names(`company_id=${companyId(tenant)}&sort=-role_id&limit=2&${state}`, host.token);
    expect(await of('')).toEqual(['Off', 'On']);
    expect(await of('state=inactive')).toEqual(['Off']);
    expect(await of('active_status=false')).toEqual(['Off']);
    expect(await of('state=active')).toEqual(['On', 'User']);
    expect(await of('state=deleted')).toEqual(['Gone']);
  });

  it('make a list with as many queries for fifty rows as for two', async () => {
    const tenant = await buildCompany(server.app);
    for (let count = 0; count < 50; count++) await buildRole(tenant, { permissions: [{ model: 'inbox', view: true }] });
    const loaded = await loadActor(systemContext(server.app), String(host.user.id), null);
    if (!loaded) throw new Error('the Super Admin can not be loaded');
    const ctx = actorContext(systemContext(server.app), loaded.actor);
    const queriesOf = async (limit: number): Promise<number> => {
      const statements: string[] = [];
      const { options } = server.app.db as unknown as { options: { logging: false | ((text: string) => void) } };
      options.logging = (text) => void statements.push(text);
      const query = { page: 1, limit, sort: 'role_name', company_id: companyId(tenant) } as const;
      const { rows, total } = await findRoles(ctx, query);
      options.logging = false;
      expect([rows.length, total]).toEqual([limit, 53]);
      return statements.length;
    };
    expect(await queriesOf(2)).toBe(4);
    expect(await queriesOf(50)).toBe(4);
  });
});
