import { randomUUID } from 'node:crypto';
import type { CompanyDto } from '@selvage/core/contracts/companies';
import { builtInRole } from '@selvage/core/contracts/permissions';
import { eraseCompanyRows } from '@selvage/core/directory/erase-rows';
import { resolveRecipient } from '@selvage/core/directory/resolve-recipient';
import { receive } from '@selvage/core/mailstore/test-messages';
import { systemContext } from '@selvage/core/context/context';
import { AuditEvent } from '@selvage/core/models/audit-event';
import { Company } from '@selvage/core/models/company';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import { OutboxRow } from '@selvage/core/models/outbox-row';
import { Role } from '@selvage/core/models/role';
import { User } from '@selvage/core/models/user';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildCompany, buildMailbox, buildRole, type Mailbox, type Tenant } from '../../../tests/support/factories.ts';
import { countQueries } from '../../../tests/support/queries-of.ts';
import { startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;
let staff: Mailbox;
let token: string;

beforeAll(async () => {
  server = await startTestServer();
  const provider = await buildCompany(server.app, { isProvider: true });
  staff = await buildMailbox(server.app, { tenant: provider, roleNumber: builtInRole.superAdmin });
  token = (await server.signIn(staff.user.email, staff.password)).token;
});

const form = () => ({
  name: `Weaver ${randomUUID()}`,
  email: 'office@weaver.test',
  industry: 'Cotton',
  phone: '9876543210',
  address: '1 Mill Lane',
  city: 'Surat',
  state: 'Gujarat',
  country: 'India',
  pin_code: '395003',
});

async function add(overrides: object = {}): Promise<CompanyDto> {
  const { status, body } = await server.call('POST', '/company/create', { token, body: { ...form(), ...overrides } });
  expect(status).toBe(200);
  return body.data as CompanyDto;
}

async function ask(method: string, path: string, options: { token?: string; body?: unknown } = {}) {
  return await server.call(method, path, { token, ...options });
}

async function tokenOf(mailbox: Mailbox): Promise<string> {
  return (await server.signIn(mailbox.user.email, mailbox.password)).token;
}

describe('companies', () => {
  it('are added with their built-in roles and their creator, and leave an audit event', async () => {
    const company = await add();
    expect(company).toMatchObject({ industry: 'Cotton', active_status: true, deletedAt: null, version: 1 });
    expect(company.createdBy).toEqual({ fname: 'Ana', lname: 'Test', email: staff.user.email });
    expect(company.abilities).toEqual({ edit: true, switch: true, delete: true, restore: false, erase: false });
    const roles = await Role.findAll({ where: { companyId: company._id }, order: [['roleId', 'ASC']] });
    expect(roles.map(({ roleName }) => roleName)).toEqual(['Super Admin', 'Admin', 'User']);
    const event = await AuditEvent.findOne({ where: { entity: 'company', entityId: company._id } });
    expect(event).toMatchObject({ action: 'company:created', actorId: String(staff.user.id) });
  });

  it.each([
    ['name', 'x', 'Company name must be at least 2 characters long'],
    ['name', '', 'Company name must be at least 2 characters long'],
    ['address', ' ', 'Address is required'],
    ['state', '', 'State is required'],
    ['phone', '0123456789', 'Phone number must be 10 digits'],
    ['phone', '0123', 'Phone number must be 10 digits'],
    ['phone', '123', 'Phone number must be 10 digits'],
    ['pin_code', '012345', 'Pin Code must be 6 digits'],
    ['email', 'no address', 'Invalid email'],
    ['name', 'x'.repeat(101), 'Maximum 100 characters allowed'],
  ])('are refused with %s %j', async (field, value, message) => {
    const { status, body } = await ask('POST', '/company/create', { body: { ...form(), [field]: value } });
    expect([status, body.errors]).toEqual([422, { [field]: message }]);
  });

  it('keep any letters in their names', async () => {
    for (const name of ['Łódź "Weavers" & <b>Sons</b>', 'נייר ובד', '🧵 Thread']) {
      const { _id } = await add({ name });
      expect((await ask('GET', `/company/get/${_id}`)).body.data).toMatchObject({ name });
    }
  });

  it('are listed, searched, sorted and narrowed by the server, by what the contract says', async () => {
    const mark = randomUUID();
    for (const name of ['Charlie', 'Alpha', 'Bravo']) await add({ name: `${name} ${mark}` });
    const gone = await add({ name: `Delta ${mark}` });
    await ask('DELETE', `/company/delete/${gone._id}`);
    const names = async (query: string) => {
      const { body } = await ask('GET', `/company/get/all?search=${mark}&${query}`);
      return (body.data as CompanyDto[]).map(({ name }) => name.split(' ')[0]);
    };
    expect(await names('')).toEqual(['Alpha', 'Bravo', 'Charlie']);
    expect(await names('sort=-name&limit=2')).toEqual(['Charlie', 'Bravo']);
    expect(await names('limit=2&page=2')).toEqual(['Charlie']);
    expect(await names('deletedAt=true')).toEqual(['Delta']);
    expect(await names('state=deleted')).toEqual(['Delta']);
    expect(await names('state=inactive')).toEqual([]);
    for (const query of ['sort=name;DROP', 'sort=password_hash', 'page=0', 'limit=1000', 'state=x']) {
      expect((await ask('GET', `/company/get/all?${query}`)).status).toBe(422);
    }
  });

  it('are all there for a choice, without those that are deleted', async () => {
    const [kept, gone] = [await add(), await add()];
    await ask('DELETE', `/company/delete/${gone._id}`);
    const { body } = await ask('GET', '/company/get/all/without_filter');
    const ids = (body.data as CompanyDto[]).map(({ _id }) => _id);
    expect([ids.includes(kept._id), ids.includes(gone._id)]).toEqual([true, false]);
  });

  it('are changed, and a change from an older version is refused', async () => {
    const { _id } = await add();
    const first = await ask('PUT', `/company/update/${_id}`, { body: { city: 'Pune', industry: '', version: 1 } });
    expect(first.body.data).toMatchObject({ city: 'Pune', industry: null, version: 2 });
    const [event] = await AuditEvent.findAll({ where: { action: 'company:updated', entityId: _id } });
    expect(event?.details).toEqual({
      fields: ['industry', 'city'],
      before: { city: 'Surat', industry: 'Cotton' },
      after: { city: 'Pune', industry: null },
      version: 2,
    });
    const second = await ask('PUT', `/company/update/${_id}`, { body: { city: 'Delhi', version: 1 } });
    expect([second.status, second.body['code']]).toEqual([409, 'changed_meanwhile']);
    expect(second.body['conflict']).toMatchObject({ by: 'Ana Test', fields: ['city', 'industry'] });
    expect((await ask('GET', `/company/get/${_id}`)).body.data).toMatchObject({ city: 'Pune' });
  });

  it('have a plan, which people of the provider give and change, and those of the company do not', async () => {
    const plan = { max_users: 5, max_domains: 1, storage_limit: 2 ** 40, mailbox_limit: null };
    const { _id, ...company } = await add(plan);
    expect(company).toMatchObject(plan);
    const change = (body: object, as = token) => ask('PUT', `/company/update/${_id}`, { token: as, body });
    const raised = { ...plan, max_users: null, storage_limit: 2 ** 41 };
    expect((await change({ ...raised, version: 1 })).body.data).toMatchObject(raised);
    const read = await ask('GET', `/company/get/${_id}`);
    expect(read.body.data).toMatchObject({ ...raised, plan: { users: { limit: null }, storage: { limit: 2 ** 41 } } });
    expect((await change({ max_users: 0 })).body.errors).toEqual({ max_users: 'Must be at least 1' });
    const roles = await Role.findAll({ where: { companyId: _id } });
    const tenant: Tenant = {
      company: await Company.findByPk(_id, { rejectOnEmpty: true }),
      domain: staff.domain,
      roles: new Map(roles.map((role) => [role.roleId, role])),
    };
    const theirs = await tokenOf(await buildMailbox(server.app, { tenant, roleNumber: builtInRole.admin }));
    expect((await change({ ...raised, city: 'Agra' }, theirs)).body.data).toMatchObject({ ...raised, city: 'Agra' });
    for (const more of [{ max_users: 500 }, { storage_limit: null }, { mailbox_limit: 2 ** 40 }]) {
      const refused = await change({ ...more, city: 'Pune' }, theirs);
      expect([refused.status, refused.body['code']]).toEqual([403, 'forbidden']);
    }
    expect((await ask('GET', `/company/get/${_id}`)).body.data).toMatchObject({ ...raised, city: 'Agra' });
  });

  it('end all access of their people when they are deleted, and bring it back when restored', async () => {
    const ana = await buildMailbox(server.app);
    const { id } = ana.company;
    const before = await tokenOf(ana);
    expect((await ask('DELETE', `/company/delete/${id}`)).status).toBe(200);
    expect((await ask('GET', '/user/info', { token: before })).status).toBe(401);
    expect(await tokenOf(ana)).toBe('');
    const ctx = systemContext(server.app);
    expect(await resolveRecipient(ctx, ana.user.email)).toMatchObject({ code: 550, reason: 'deleted_mailbox' });
    expect((await ask('DELETE', `/company/delete/${id}`)).body['code']).toBe('deleted');
    expect((await ask('PUT', `/company/update/${id}`, { body: { city: 'X' } })).body['code']).toBe('deleted');

    const restored = await ask('PATCH', `/company/restore/${id}`);
    expect(restored.body.data).toMatchObject({ deletedAt: null, active_status: true });
    expect(await tokenOf(ana)).not.toBe('');
    expect(await resolveRecipient(ctx, ana.user.email)).toMatchObject({ kind: 'deliver' });
    expect((await ask('PATCH', `/company/restore/${id}`)).body['code']).toBe('not_deleted');
  });

  it('defer mail and end sessions while they are switched off', async () => {
    const ana = await buildMailbox(server.app);
    const before = await tokenOf(ana);
    const off = await ask('PUT', `/company/update/${ana.company.id}`, { body: { active_status: false } });
    expect(off.body.data).toMatchObject({ active_status: false });
    expect((await ask('GET', '/user/info', { token: before })).status).toBe(401);
    expect(await resolveRecipient(systemContext(server.app), ana.user.email)).toMatchObject({ code: 450 });
    await ask('PUT', `/company/update/${ana.company.id}`, { body: { active_status: true } });
    expect(await tokenOf(ana)).not.toBe('');
  });

  it('are switched by people who may edit them, which the answers say, and never the own one', async () => {
    const role = await buildRole(staff, { permissions: [{ model: 'company', view: true, edit: true }] });
    const editor = await buildMailbox(server.app, { tenant: staff, user: { roleId: String(role.id) } });
    const theirs = await tokenOf(editor);
    const { _id } = await add();
    const body = { active_status: false };
    const switched = await ask('PUT', `/company/update/${_id}`, { token: theirs, body });
    const can = { edit: true, delete: false, restore: false, erase: false };
    expect(switched.body.data).toMatchObject({ active_status: false, abilities: { ...can, switch: true } });
    const own = await ask('GET', `/company/get/${staff.company.id}`, { token: theirs });
    expect(own.body.data).toMatchObject({ abilities: { ...can, switch: false } });
  });

  it('are gone for good after they were deleted, with their people and mail', async () => {
    const [ana, ben] = [await buildMailbox(server.app), await buildMailbox(server.app)];
    const ctx = systemContext(server.app);
    const shared = await receive(ctx, [ana, ben]);
    const id = String(ana.company.id);
    expect((await ask('DELETE', `/company/permanent-delete/${id}`)).body['code']).toBe('not_deleted');
    await ask('DELETE', `/company/delete/${id}`);
    expect((await ask('DELETE', `/company/permanent-delete/${id}`)).status).toBe(200);
    expect((await ask('GET', `/company/get/${id}`)).status).toBe(404);
    expect((await ask('PATCH', `/company/restore/${id}`)).status).toBe(404);
    const job = await OutboxRow.findOne({ where: { jobName: 'directory.erase-company' }, order: [['id', 'DESC']] });
    expect(job?.payload).toEqual({ companyId: id });
    expect(await eraseCompanyRows(ctx, id)).toBe(true);
    expect([await Company.findByPk(id), await User.findByPk(ana.user.id)]).toEqual([null, null]);
    const entries = await MailboxEntry.findAll({ where: { messageId: shared.messageId } });
    expect(entries.map(({ userId }) => String(userId))).toEqual([String(ben.user.id)]);
    expect(await eraseCompanyRows(ctx, id)).toBe(false);
  });

  it('of the host itself and of the caller are protected', async () => {
    const own = String(staff.company.id);
    const calls = [
      await ask('DELETE', `/company/delete/${own}`),
      await ask('PUT', `/company/update/${own}`, { body: { active_status: false } }),
    ];
    expect(calls.map(({ status, body }) => [status, body['code']])).toEqual([
      [409, 'provider_protected'],
      [409, 'provider_protected'],
    ]);
    expect((await ask('GET', '/user/info')).status).toBe(200);
    const chief = await buildMailbox(server.app, { roleNumber: builtInRole.superAdmin });
    const theirs = await ask('DELETE', `/company/delete/${chief.company.id}`, { token: await tokenOf(chief) });
    expect([theirs.status, theirs.body['code']]).toEqual([409, 'own_company']);
  });

  it('are added by people of the provider alone, whatever flags others hold', async () => {
    const chief = await buildMailbox(server.app, { roleNumber: builtInRole.superAdmin });
    const refused = await ask('POST', '/company/create', { token: await tokenOf(chief), body: form() });
    expect([refused.status, refused.body['code']]).toEqual([403, 'forbidden']);
  });

  it('of others are not seen by a company’s administrator, who changes their own', async () => {
    const admin = await buildMailbox(server.app, { roleNumber: builtInRole.admin });
    const mine = await tokenOf(admin);
    const { body } = await ask('GET', '/company/get/all', { token: mine });
    expect((body.data as CompanyDto[]).map(({ _id }) => _id)).toEqual([String(admin.company.id)]);
    const changed = await ask('PUT', `/company/update/${admin.company.id}`, { token: mine, body: { city: 'Agra' } });
    expect(changed.body.data).toMatchObject({ city: 'Agra' });
    const other = await add();
    expect((await ask('PUT', `/company/update/${other._id}`, { token: mine, body: { city: 'x' } })).status).toBe(404);
  });

  it('are listed with as many queries for many as for one', async () => {
    for (let n = 0; n < 12; n += 1) await add();
    const count = (limit: number) =>
      countQueries(server.app, () => ask('GET', `/company/get/all?limit=${limit}&sort=-createdAt`));
    const few = await count(1);
    expect(few).toBeGreaterThan(2);
    expect(await count(12)).toBe(few);
  });
});
