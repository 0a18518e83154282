import { builtInRole, modelNames } from '@selvage/core/contracts/permissions';
import type { ModuleDto } from '@selvage/core/contracts/modules';
import type { PermissionMatrix } from '@selvage/core/contracts/permission-matrix';
import { AuditEvent } from '@selvage/core/models/audit-event';
import { Company } from '@selvage/core/models/company';
import { Module } from '@selvage/core/models/module';
import { Role } from '@selvage/core/models/role';
import { RolePermission } from '@selvage/core/models/role-permission';
import { User } from '@selvage/core/models/user';
import { UserPermission } from '@selvage/core/models/user-permission';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox, buildRole, type Mailbox } from '../../../tests/support/factories.ts';
import { type Answer, startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;
let tenant: Mailbox;
let token: string;
let provider: Company;

beforeAll(async () => {
  server = await startTestServer();
  tenant = await buildMailbox(server.app, { roleNumber: builtInRole.superAdmin });
  await User.update({ passwordChangeRequired: false }, { where: { email: 'admin@host.test' } });
  token = (await server.signIn('admin@host.test', 'correct horse battery')).token;
  provider = (await Company.findOne({ where: { isProvider: true } })) as Company;
});

const call = (method: string, path: string, body?: unknown, as = token) =>
  server.call(method, `/module${path}`, { token: as, ...(body ? { body } : {}) });
const dto = ({ body }: Answer) => body.data as ModuleDto;
const refusal = ({ status, body }: Answer) => [status, body['code']];
const add = (name: string) => call('POST', '/add', { name });
const names = async (query = 'limit=100') =>
  ((await call('GET', `/get/all?${query}`)).body.data as ModuleDto[]).map(({ name }) => name);

describe('modules', () => {
  it('are the names of the specification, to which others are added, renamed and deleted', async () => {
    expect(await names()).toEqual(modelNames.toSorted());
    const made = dto(await add('Looms'));
    expect(made).toMatchObject({ name: 'Looms', is_built_in: false, abilities: { edit: true, delete: true } });
    expect(await names('search=loom')).toEqual(['Looms']);
    expect(dto(await call('PUT', `/update/${made._id}`, { name: 'looms' })).name).toBe('looms');
    expect((await call('DELETE', `/delete/${made._id}`)).status).toBe(200);
    expect(await names()).toEqual(modelNames.toSorted());
    expect(refusal(await call('DELETE', `/delete/${made._id}`))).toEqual([404, 'module_not_found']);
    const events = await AuditEvent.findAll({
      where: { entity: 'module', entityId: made._id },
      order: [['id', 'ASC']],
    });
    expect(events.map(({ action, details }) => [action, details])).toEqual([
      ['module:created', { name: 'Looms' }],
      ['module:renamed', { before: 'Looms', after: 'looms' }],
      ['module:removed', { name: 'looms' }],
    ]);
  });

  it("appear in every matrix, on for the provider's Super Admin alone, who can grant them", async () => {
    const made = dto(await add('spindles'));
    const role = await buildRole(tenant);
    const rowOf = async (named: string) => {
      const { body } = await server.call('GET', `/users/get/permissions?${named}`, { token });
      return (body.data as PermissionMatrix).permissions.find(({ model }) => model === 'spindles');
    };
    const all = { view: true, create: true, edit: true, delete: true };
    const none = { view: false, create: false, edit: false, delete: false };
    expect(await rowOf(`role_id=${role.id}`)).toMatchObject({ ...none, grantable: all });
    expect(await rowOf(`user_id=${tenant.user.id}`)).toMatchObject(none);
    const superAdmin = await Role.findOne({ where: { companyId: provider.id, roleId: 0 } });
    expect(await rowOf(`role_id=${superAdmin?.id}`)).toMatchObject(all);
    const grant = (subject: object) =>
      server.call('POST', '/users/add_or_update/permissions', {
        token,
        body: { ...subject, permissions: [{ model: 'spindles', view: true }] },
      });
    expect((await grant({ role_id: String(role.id) })).status).toBe(200);
    expect((await grant({ user_id: String(tenant.user.id) })).status).toBe(200);
    await call('PUT', `/update/${made._id}`, { name: 'bobbins' });
    const rows = async (model: string) =>
      (await RolePermission.count({ where: { model } })) + (await UserPermission.count({ where: { model } }));
    expect([await rows('spindles'), await rows('bobbins')]).toEqual([0, 3]);
    await call('DELETE', `/delete/${made._id}`);
    expect(await rows('bobbins')).toBe(0);
  });

  it('that are built in are neither renamed nor deleted', async () => {
    for (const found of await Module.findAll({ where: { isBuiltIn: true } })) {
      expect(refusal(await call('PUT', `/update/${found.id}`, { name: 'mine' }))).toEqual([409, 'built_in_module']);
      expect(refusal(await call('DELETE', `/delete/${found.id}`))).toEqual([409, 'built_in_module']);
    }
    expect(await Module.count({ where: { isBuiltIn: true } })).toBe(modelNames.length);
    const [home] = (await call('GET', '/get/all?search=home')).body.data as ModuleDto[];
    expect(home?.abilities).toEqual({ edit: false, delete: false });
  });

  it('have names that differ in more than capitals, of letters, digits, underscores and hyphens', async () => {
    const first = dto(await add('Cones-2_b'));
    for (const taken of ['Cones-2_b', 'cones-2_B', ' CONES-2_B ', 'home', 'Home']) {
      expect((await add(taken)).body).toMatchObject({
        code: 'module_name_taken',
        errors: { name: 'A module with this name already exists' },
      });
    }
    const other = dto(await add('other'));
    expect((await call('PUT', `/update/${other._id}`, { name: 'CONES-2_b' })).status).toBe(409);
    expect((await call('PUT', `/update/${first._id}`, { name: 'cones-2_b' })).status).toBe(200);
    for (const wrong of ['', '   ', 'two words', 'naïve', 'a/b', 'x'.repeat(65), "a'b", 7, null]) {
      const answer = await call('POST', '/add', { name: wrong });
      expect([wrong, answer.status]).toEqual([wrong, 422]);
    }
    expect((await add('x'.repeat(64))).status).toBe(200);
    expect((await call('POST', '/add', {})).body.errors).toEqual({ name: 'Module name is required' });
  });

  it('of one name that are added at the same time become one', async () => {
    const answers = await Promise.all(['Twice', 'twice', 'TWICE', 'tWICE'].map(add));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
  });
});
