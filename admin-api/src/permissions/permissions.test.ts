import { builtInRole, modelNames } from '@selvage/core/contracts/permissions';
import type { FlagChange, MatrixRow, PermissionMatrix } from '@selvage/core/contracts/permission-matrix';
import { AuditEvent } from '@selvage/core/models/audit-event';
import type { Role } from '@selvage/core/models/role';
import { RolePermission } from '@selvage/core/models/role-permission';
import { UserPermission } from '@selvage/core/models/user-permission';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildCompany, buildMailbox, buildRole, type Mailbox } from '../../../tests/support/factories.ts';
import { type Administrator, buildAdministrator, buildProvider } from '../test-people.ts';
import { type Answer, startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;
/** The Admin of a tenant, and the Super Admin of the provider. */
let admin: Administrator;
let host: Administrator;

const all = { view: true, create: true, edit: true, delete: true };
const none = { view: false, create: false, edit: false, delete: false };

beforeAll(async () => {
  server = await startTestServer();
  admin = await buildAdministrator(server);
  host = await buildProvider(server);
});

const tokenOf = async ({ user, password }: Mailbox) => (await server.signIn(user.email, password)).token;
const call = (method: string, path: string, body?: unknown, as = admin.token) =>
  server.call(method, `/users${path}`, { token: as, ...(body ? { body } : {}) });
type Subject = { role_id: string } | { user_id: string };
type Change = Pick<FlagChange, 'model'> & Partial<FlagChange>;
const ofRole = (role: Role) => ({ role_id: String(role.id) });
const ofUser = ({ user }: Mailbox) => ({ user_id: String(user.id) });
const read = (subject: Subject, as = admin.token) =>
  call('GET', `/get/permissions?${new URLSearchParams(subject).toString()}`, undefined, as);
const change = (subject: Subject, permissions: Change[], as = admin.token) =>
  call('POST', '/add_or_update/permissions', { ...subject, permissions }, as);
const reset = ({ user }: Mailbox, as = admin.token) => call('POST', `/reset/permissions/${user.id}`, undefined, as);
const matrix = ({ body }: Answer) => body.data as PermissionMatrix;
const row = (answer: Answer, model: string) =>
  matrix(answer).permissions.find((entry) => entry.model === model) as MatrixRow;
const refusal = ({ status, body }: Answer) => [status, body['code']];
const withRole = (role: Role, tenant = admin) =>
  buildMailbox(server.app, { tenant, user: { roleId: String(role.id) } });

describe('the matrix of a role', () => {
  it('has a row for each module, and changes the flags that are named', async () => {
    const role = await buildRole(admin, { name: 'Weavers', permissions: [{ model: 'inbox', view: true }] });
    const opened = matrix(await read(ofRole(role)));
    expect(opened.permissions.map(({ model }) => model)).toEqual(expect.arrayContaining([...modelNames]));
    expect(opened).toMatchObject({
      subject: {
        kind: 'role',
        _id: String(role.id),
        name: 'Weavers',
        company_id: { _id: String(admin.company.id), name: admin.company.name },
      },
      lock: null,
    });
    const answer = await change(ofRole(role), [
      { model: 'inbox', edit: true },
      { model: 'backup', view: true, delete: true },
    ]);
    expect(row(answer, 'inbox')).toMatchObject({ ...none, view: true, edit: true });
    expect(row(answer, 'backup')).toMatchObject({ ...none, view: true, delete: true });
    expect(row(await change(ofRole(role), [{ model: 'inbox', view: false }]), 'inbox')).toMatchObject({
      ...none,
      edit: true,
    });
    const [event] = await AuditEvent.findAll({
      where: { action: 'permissions:changed', entity: 'role', entityId: role.id },
      order: [['id', 'ASC']],
    });
    expect(event?.details).toEqual({
      role_name: role.roleName,
      granted: ['inbox.edit', 'backup.view', 'backup.delete'],
      removed: [],
    });
    expect([String(event?.companyId), String(event?.actorId)]).toEqual([
      String(admin.company.id),
      String(admin.user.id),
    ]);
  });

  it('holds for its people at their next request', async () => {
    const role = await buildRole(admin, { permissions: [{ model: 'role', view: true }] });
    const person = await withRole(role);
    let { token: theirs, refreshToken } = await server.signIn(person.user.email, person.password);
    const list = () => server.call('GET', '/role/get/all', { token: theirs });
    const renew = async () => {
      const { body } = await server.call('POST', '/user/refresh', { body: { refreshToken } });
      ({ token: theirs, refreshToken } = body as unknown as { token: string; refreshToken: string });
    };
    expect((await list()).status).toBe(200);
    await change(ofRole(role), [{ model: 'role', view: false }]);
    expect(refusal(await list())).toEqual([401, 'token_outdated']);
    await renew();
    expect(refusal(await list())).toEqual([403, 'forbidden']);
    await change(ofRole(role), [{ model: 'role', view: true }]);
    await renew();
    expect((await list()).status).toBe(200);
    // A flag that has the value already is no change, so no token is outdated by it
    await change(ofRole(role), [{ model: 'role', view: true }]);
    expect((await list()).status).toBe(200);
  });

  it('that is built in does not change', async () => {
    for (const role of admin.roles.values()) {
      expect(refusal(await change(ofRole(role), [{ model: 'inbox', view: false }], host.token))).toEqual([
        409,
        'built_in_role',
      ]);
      const opened = matrix(await read(ofRole(role), host.token));
      expect(opened.lock).toBe('built_in');
      expect(opened.permissions.every(({ grantable }) => Object.values(grantable).every((flag) => !flag))).toBe(true);
    }
  });

  it('is out of reach in another company, and for flags that are unknown or missing', async () => {
    const theirs = await buildRole(await buildCompany(server.app));
    expect(refusal(await read(ofRole(theirs)))).toEqual([404, 'role_not_found']);
    expect(refusal(await change(ofRole(theirs), [{ model: 'inbox', view: true }]))).toEqual([404, 'role_not_found']);
    expect((await read(ofRole(theirs), host.token)).status).toBe(200);
    const role = await buildRole(admin);
    for (const wrong of [
      [{ model: 'looms', view: true }],
      [{ model: 'INBOX', view: true }],
      [{ model: 'inbox' }],
      [{ model: 'inbox', view: 'yes' }],
      [
        { model: 'inbox', view: true },
        { model: 'inbox', view: false },
      ],
      [],
    ]) {
      expect(refusal(await change(ofRole(role), wrong as Change[]))).toEqual([422, 'invalid']);
    }
    const both = { ...ofRole(role), ...ofUser(admin) };
    expect((await change(both, [{ model: 'inbox', view: true }])).status).toBe(422);
    expect((await call('GET', '/get/permissions')).status).toBe(422);
    expect(await RolePermission.count({ where: { roleId: role.id } })).toBe(0);
  });

  it('that is deleted can be read but not changed', async () => {
    const role = await buildRole(admin);
    await role.update({ deletedAt: new Date() });
    expect(matrix(await read(ofRole(role))).lock).toBe('deleted');
    expect(refusal(await change(ofRole(role), [{ model: 'inbox', view: true }]))).toEqual([409, 'deleted']);
  });

  it('keeps every flag of changes that are made at the same time', async () => {
    const role = await buildRole(admin);
    const models = ['inbox', 'sent', 'draft', 'trash', 'archive'];
    const changes = models.flatMap((model) => [
      { model, view: true },
      { model, edit: true },
    ]);
    const answers = await Promise.all(changes.map((flag) => change(ofRole(role), [flag])));
    expect(answers.map(({ status }) => status)).toEqual(changes.map(() => 200));
    const saved = matrix(await read(ofRole(role))).permissions.filter(({ view, edit }) => view && edit);
    expect(saved.map(({ model }) => model).toSorted()).toEqual(models.toSorted());
  });
});

describe('granting', () => {
  it('stops at what the caller has, and at what may do more than the caller', async () => {
    const mine = await buildRole(admin, {
      permissions: [
        { model: 'permission', view: true, edit: true },
        { model: 'inbox', view: true },
      ],
    });
    const theirs = await tokenOf(await withRole(mine));
    const small = await buildRole(admin);
    expect((await change(ofRole(small), [{ model: 'inbox', view: true }], theirs)).status).toBe(200);
    for (const flag of [
      { model: 'inbox', edit: true },
      { model: 'user', create: true },
      { model: 'permission', delete: true },
    ]) {
      expect(refusal(await change(ofRole(small), [flag], theirs))).toEqual([403, 'not_yours_to_grant']);
    }
    // One flag too many, and none is granted
    const mixed = [
      { model: 'permission', view: true },
      { model: 'user', view: true },
    ];
    expect(refusal(await change(ofRole(small), mixed, theirs))).toEqual([403, 'not_yours_to_grant']);
    const opened = await read(ofRole(small), theirs);
    expect(row(opened, 'inbox')).toMatchObject({ ...none, view: true, grantable: { ...none, view: true } });
    expect(row(opened, 'permission')).toMatchObject({ ...none, grantable: { ...none, view: true, edit: true } });
    const large = await buildRole(admin, { permissions: [{ model: 'user', delete: true }] });
    expect(refusal(await change(ofRole(large), [{ model: 'inbox', view: true }], theirs))).toEqual([403, 'outranked']);
    expect(matrix(await read(ofRole(large), theirs)).lock).toBe('outranked');
  });

  it('takes nothing from the role of a person who may do more than the caller', async () => {
    const inbox = { model: 'inbox', view: true };
    const mine = await buildRole(admin, { permissions: [{ model: 'permission', view: true, edit: true }, inbox] });
    const shared = await buildRole(admin, { permissions: [inbox] });
    const strong = await withRole(shared);
    const own = { companyId: String(admin.company.id), userId: String(strong.user.id), model: 'user' };
    await UserPermission.create({ ...own, canEdit: true });
    const theirs = await tokenOf(await withRole(mine));
    const taken = [{ model: 'inbox', view: false }];
    expect(refusal(await change(ofRole(shared), taken, theirs))).toEqual([403, 'outranked']);
    expect((await change(ofRole(shared), [{ model: 'permission', view: true }], theirs)).status).toBe(200);
    expect((await change(ofRole(shared), taken)).status).toBe(200);
  });

  it('never reaches the caller: neither their own rows nor those of their role', async () => {
    const mine = await buildRole(admin, { permissions: [{ model: 'permission', view: true, edit: true }] });
    const person = await withRole(mine);
    const theirs = await tokenOf(person);
    for (const subject of [ofRole(mine), ofUser(person)]) {
      expect(refusal(await change(subject, [{ model: 'permission', view: false }], theirs))).toEqual([
        403,
        'own_permissions',
      ]);
      expect(matrix(await read(subject, theirs)).lock).toBe('own');
    }
    expect(refusal(await reset(person, theirs))).toEqual([403, 'own_permissions']);
    expect(refusal(await change(ofUser(admin), [{ model: 'inbox', view: false }]))).toEqual([403, 'own_permissions']);
  });

  it("keeps what is the provider's alone out of tenants, also when its Super Admin grants it", async () => {
    const role = await buildRole(admin);
    const person = await withRole(role);
    const flags: Change[] = [
      { model: 'home', create: true },
      { model: 'home', edit: true },
      { model: 'clients', view: true },
      { model: 'client', view: true },
      { model: 'module', view: true },
    ];
    for (const subject of [ofRole(role), ofUser(person)]) {
      for (const flag of flags) {
        expect(refusal(await change(subject, [flag], host.token))).toEqual([403, 'provider_only']);
      }
      const opened = await read(subject, host.token);
      expect(row(opened, 'home').grantable).toEqual({ ...none, view: true, delete: true });
      expect(row(opened, 'module').grantable).toEqual(none);
    }
    const ours = await buildRole(host);
    expect((await change(ofRole(ours), flags.slice(1), host.token)).status).toBe(200);
  });

  it('leaves the right to grant with one of two who take it from each other at the same moment', async () => {
    const rights = [{ model: 'permission', view: true, edit: true }];
    const take = { model: 'permission', edit: false };
    const [first, second] = [
      await buildRole(admin, { permissions: rights }),
      await buildRole(admin, { permissions: rights }),
    ];
    const chief = await buildProvider(server);
    const deputy = await buildMailbox(server.app, { tenant: chief, roleNumber: builtInRole.superAdmin });
    const pairs = [
      [chief, deputy, ofUser(chief), ofUser(deputy)],
      [await withRole(first), await withRole(second), ofRole(first), ofRole(second)],
    ] as const;
    for (const [one, other, ofOne, ofOther] of pairs) {
      const tokens = [await tokenOf(one), await tokenOf(other)];
      const answers = await Promise.all([change(ofOther, [take], tokens[0]), change(ofOne, [take], tokens[1])]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    }
  });

  it('needs permission.edit, and reading needs permission.view', async () => {
    const viewer = await buildRole(admin, {
      permissions: [
        { model: 'permission', view: true },
        { model: 'inbox', ...all },
      ],
    });
    const theirs = await tokenOf(await withRole(viewer));
    const role = await buildRole(admin);
    expect(matrix(await read(ofRole(role), theirs)).lock).toBe('not_permitted');
    expect(refusal(await change(ofRole(role), [{ model: 'inbox', view: true }], theirs))).toEqual([403, 'forbidden']);
    const blind = await tokenOf(await withRole(role));
    expect(refusal(await read(ofRole(role), blind))).toEqual([403, 'forbidden']);
  });
});

describe('the matrix of a person', () => {
  it("begins as the role's, says which rows are the person's own, and goes back to the role's", async () => {
    const role = await buildRole(admin, {
      permissions: [
        { model: 'inbox', view: true, edit: true },
        { model: 'sent', ...all },
      ],
    });
    const person = await withRole(role);
    const before = await read(ofUser(person));
    expect(matrix(before)).toMatchObject({
      subject: { kind: 'user', name: 'Ana Test', role: { role_id: role.roleId } },
    });
    expect(row(before, 'inbox')).toMatchObject({ ...none, view: true, edit: true, source: 'role' });
    const changed = await change(ofUser(person), [{ model: 'inbox', delete: true }]);
    expect(row(changed, 'inbox')).toMatchObject({ ...none, view: true, edit: true, delete: true, source: 'own' });
    expect(row(changed, 'sent')).toMatchObject({ ...all, source: 'role' });
    // The person's own row stays as it is when the role's changes
    await change(ofRole(role), [
      { model: 'inbox', edit: false },
      { model: 'sent', edit: false },
    ]);
    const later = await read(ofUser(person));
    expect(row(later, 'inbox')).toMatchObject({ edit: true, source: 'own' });
    expect(row(later, 'sent')).toMatchObject({ edit: false, source: 'role' });
    const back = await reset(person);
    expect(row(back, 'inbox')).toMatchObject({ ...none, view: true, source: 'role' });
    expect(await UserPermission.count({ where: { userId: person.user.id } })).toBe(0);
    const events = await AuditEvent.findAll({
      where: { entity: 'user', entityId: person.user.id },
      order: [['id', 'ASC']],
    });
    expect(events.map(({ action }) => action)).toEqual(['permissions:changed', 'permissions:reset']);
    const [, details] = events.map((event) => event.details);
    expect(details).toEqual({ email: person.user.email, granted: [], removed: ['inbox.edit', 'inbox.delete'] });
  });

  it('holds at the next request of the person, and so does the way back', async () => {
    const role = await buildRole(admin, { permissions: [{ model: 'role', view: true }] });
    const person = await withRole(role);
    const list = async () => refusal(await server.call('GET', '/role/get/all', { token: await tokenOf(person) }))[0];
    const open = await tokenOf(person);
    await change(ofUser(person), [{ model: 'role', view: false }]);
    expect(refusal(await server.call('GET', '/role/get/all', { token: open }))).toEqual([401, 'token_outdated']);
    expect(await list()).toBe(403);
    await reset(person);
    expect(await list()).toBe(200);
  });

  it('of another company is a 404, and of a person who may do more a 403', async () => {
    const stranger = await buildMailbox(server.app);
    const flags = [{ model: 'inbox', view: false }];
    expect(refusal(await read(ofUser(stranger)))).toEqual([404, 'user_not_found']);
    expect(refusal(await change(ofUser(stranger), flags))).toEqual([404, 'user_not_found']);
    expect(refusal(await reset(stranger))).toEqual([404, 'user_not_found']);
    const boss = await buildMailbox(server.app, { tenant: admin, roleNumber: builtInRole.superAdmin });
    expect(matrix(await read(ofUser(boss))).lock).toBe('outranked');
    expect(refusal(await change(ofUser(boss), flags))).toEqual([403, 'outranked']);
    expect(refusal(await reset(boss))).toEqual([403, 'outranked']);
    expect((await change(ofUser(boss), flags, host.token)).status).toBe(200);
  });

  it('is not reset to flags that the caller does not have', async () => {
    const mine = await buildRole(admin, { permissions: [{ model: 'permission', view: true, edit: true }] });
    const theirs = await tokenOf(await withRole(mine));
    const role = await buildRole(admin, { permissions: [{ model: 'user', delete: true }] });
    const person = await withRole(role);
    await change(ofUser(person), [{ model: 'user', delete: false }]);
    expect(refusal(await reset(person, theirs))).toEqual([403, 'not_yours_to_grant']);
    expect(await UserPermission.count({ where: { userId: person.user.id } })).toBe(1);
  });
});
