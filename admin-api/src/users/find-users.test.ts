import { modelNames } from '@selvage/core/contracts/permissions';
import type { UserChoices, UserDetailDto, UserDto } from '@selvage/core/contracts/users';
import { User } from '@selvage/core/models/user';
import { UserPermission } from '@selvage/core/models/user-permission';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildCompany, buildMailbox } from '../../../tests/support/factories.ts';
import { countQueries, queriesOf } from '../../../tests/support/queries-of.ts';
import { startTestServer, type TestServer } from '../test-server.ts';
import { type Administrator, buildAdministrator, buildDomain, buildProvider, buildRole } from '../test-people.ts';

let server: TestServer;
let admin: Administrator;

beforeAll(async () => {
  server = await startTestServer();
  admin = await buildAdministrator(server);
});

async function listOf(caller: Administrator, query = ''): Promise<UserDto[]> {
  const { status, body } = await caller.call('GET', `/user/get/all/?limit=100&${query}`);
  expect(status).toBe(200);
  return body.data as UserDto[];
}

const idsOf = (people: readonly { _id: string }[]) => people.map(({ _id }) => _id).toSorted();

describe('the list of people', () => {
  it('has those of the own company, and for the provider those of each company', async () => {
    const caller = await buildAdministrator(server);
    const colleague = await buildMailbox(server.app, { tenant: caller });
    const foreign = await buildMailbox(server.app);
    expect(idsOf(await listOf(caller))).toEqual([String(caller.user.id), String(colleague.user.id)].toSorted());
    expect(await listOf(caller, `company_id=${foreign.company.id}`)).toEqual([]);
    const provider = await buildProvider(server);
    expect(idsOf(await listOf(provider, `company_id=${foreign.company.id}`))).toEqual([String(foreign.user.id)]);
    await foreign.company.update({ deletedAt: new Date() });
    expect(await listOf(provider, `company_id=${foreign.company.id}`)).toEqual([]);
    const { body } = await provider.call('GET', '/user/get/all/without_filter');
    expect(idsOf(body.data as UserDto[])).not.toContain(String(foreign.user.id));
    // Both spellings of the path are the same call
    expect((await caller.call('GET', '/user/get/all')).body['pagination']).toMatchObject({ totalData: 2 });
  });

  it('is searched by both names and the address, over all pages', async () => {
    const tenant = await buildAdministrator(server);
    const names = [
      ['Zoë', 'Ünlü'],
      ['Ben', 'Zoe'],
      ['Cleo', 'Marsh'],
    ] as const;
    const people = [];
    for (const [fname, lname] of names) {
      people.push(await buildMailbox(server.app, { tenant, user: { fname, lname } }));
    }
    const found = async (search: string) =>
      (await listOf(tenant, `search=${encodeURIComponent(search)}&sort=fname`)).map(({ fname }) => fname);
    expect(await found('zoe')).toEqual(['Ben', 'Zoë']);
    expect(await found('marsh CLEO')).toEqual(['Cleo']);
    expect(await found(people[1]?.user.email ?? '')).toEqual(['Ben']);
    expect(await found('nothing like it')).toEqual([]);
    const second = await tenant.call('GET', '/user/get/all/?search=zoe&limit=1&page=2&sort=-fname');
    expect(second.body).toMatchObject({ data: [{ fname: 'Ben' }], pagination: { totalData: 2, totalPages: 2 } });
  });

  it('is searched without regard to case and accents, and for letters of any script', async () => {
    const tenant = await buildAdministrator(server);
    const names = [
      ['Zoe', 'Marsh'],
      ['Zoë', 'Marsh'],
      ['दीपक', 'Zoé'],
      ['100%', 'O_Neil'],
    ] as const;
    for (const [fname, lname] of names) await buildMailbox(server.app, { tenant, user: { fname, lname } });
    const found = async (search: string) =>
      (await listOf(tenant, `search=${encodeURIComponent(search)}`)).map(({ fname }) => fname).toSorted();
    for (const search of ['zoe', 'ZOË', 'oé']) expect(await found(search)).toEqual(['Zoe', 'Zoë', 'दीपक']);
    expect(await found('zöe ARSH')).toEqual(['Zoe', 'Zoë']);
    expect(await found('दीप zo')).toEqual(['दीपक']);
    for (const search of ['0%', 'o_n', '%']) expect(await found(search)).toEqual(['100%']);
    expect(await found('zoe_')).toEqual([]);
    expect(await found('eMarsh')).toEqual([]);
    expect(await found('\u0301')).toEqual([]);
  });

  it('has each of many matches on one of its pages, and makes two statements more for a search', async () => {
    const tenant = await buildAdministrator(server);
    const { user } = await buildMailbox(server.app, { tenant });
    const like = {
      companyId: String(tenant.company.id),
      roleId: String(user.roleId),
      passwordHash: '',
      lname: 'Crowd',
    };
    const create = (from: number, count: number, fname: string) =>
      User.bulkCreate(
        Array.from({ length: count }, (_, number) => ({
          ...like,
          fname,
          email: `${from + number}@${tenant.domain.domainName}`,
        })),
      );
    const seen = async () => {
      const ids = new Set<string>();
      for (let page = 1; page <= 7; page += 1) {
        for (const { _id } of await listOf(tenant, `search=crowd&page=${page}`)) ids.add(_id);
      }
      return ids.size;
    };
    await create(0, 120, 'Ana');
    await create(200, 110, 'João');
    expect(await seen()).toBe(230);
    await create(400, 400, 'Ana');
    expect(await seen()).toBe(630);
    const ask = () => tenant.call('GET', '/user/get/all/?search=crowd&limit=40');
    expect((await ask()).body).toMatchObject({ pagination: { totalData: 630, totalPages: 16 } });
    expect(await countQueries(server.app, ask)).toBe(10);
  });

  it('is narrowed by role and state, and leaves out those that are erased', async () => {
    const tenant = await buildAdministrator(server);
    const role = await buildRole(tenant, [['inbox', 'view']]);
    const make = (user: object) => buildMailbox(server.app, { tenant, user });
    const active = await make({ roleId: String(role.id) });
    const inactive = await make({ activeStatus: false });
    const deleted = await make({ deletedAt: new Date() });
    await make({ deletedAt: new Date(), erasedAt: new Date() });
    const of = (mailbox: { user: { id: string } }) => String(mailbox.user.id);
    expect(idsOf(await listOf(tenant, `role_id=${role.id}`))).toEqual([of(active)]);
    expect(idsOf(await listOf(tenant, 'state=inactive'))).toEqual([of(inactive)]);
    expect(idsOf(await listOf(tenant, 'state=deleted'))).toEqual([of(deleted)]);
    expect(idsOf(await listOf(tenant, 'deletedAt=true'))).toEqual([of(deleted)]);
    expect(idsOf(await listOf(tenant, 'active_status=true'))).toEqual([of(tenant), of(active)].toSorted());
    expect(idsOf(await listOf(tenant))).toEqual([of(tenant), of(active), of(inactive)].toSorted());
    const wrong = await tenant.call('GET', '/user/get/all/?role_id=x&state=gone&sort=password');
    expect(Object.keys(wrong.body.errors ?? {}).toSorted()).toEqual(['role_id', 'sort', 'state']);
  });

  it('makes as many statements for forty people as for one', async () => {
    const tenant = await buildAdministrator(server);
    const ask = (limit: number) => () => tenant.call('GET', `/user/get/all/?limit=${limit}`);
    for (let number = 0; number < 39; number += 1) {
      const { user } = await buildMailbox(server.app, { tenant, roleNumber: number % 3 });
      const own = { companyId: String(tenant.company.id), userId: String(user.id), model: 'inbox' };
      await UserPermission.create({ ...own, canView: true });
    }
    const one = await countQueries(server.app, ask(1));
    const forty = await countQueries(server.app, ask(40));
    expect(forty).toBe(one);
    // Two to find the caller, and count, rows, permissions, storage, companies and roles
    expect(forty).toBe(8);
  });

  it('judges the recovery addresses of forty people together', async () => {
    const tenant = await buildAdministrator(server);
    const { id, email } = tenant.user;
    const ofMailbox = { recoveryEmail: email, confirmedRecoveryEmail: email };
    const elsewhere = (number: number) => ({ confirmedRecoveryEmail: `home@remote${number}.test` });
    for (let number = 0; number < 13; number += 1) {
      await buildMailbox(server.app, { tenant, user: { ...ofMailbox, confirmedRecoveryUserId: String(id) } });
      await buildMailbox(server.app, { tenant, user: ofMailbox });
      await buildMailbox(server.app, { tenant, user: elsewhere(number) });
    }
    const ask = () => tenant.call('GET', '/user/get/all/?limit=40');
    const people = (await ask()).body.data as UserDto[];
    const shown = people.map((one) => [one.recovery_email_in_force === email, one.recovery_email_lapsed].join());
    expect([
      shown.filter((one) => one === 'true,false').length,
      shown.filter((one) => one === 'false,true').length,
    ]).toEqual([13, 13]);
    // The first look-up of each kind goes alone, and a slow one may divide those that come with it
    expect((await queriesOf(server.app, ask)).length).toBeLessThan(20);
  });

  it('says of each person what the caller may do with them', async () => {
    const tenant = await buildAdministrator(server);
    const below = await buildMailbox(server.app, { tenant });
    const above = await buildMailbox(server.app, { tenant, roleNumber: 0 });
    const gone = await buildMailbox(server.app, { tenant, user: { deletedAt: new Date() } });
    const all = [...(await listOf(tenant)), ...(await listOf(tenant, 'state=deleted'))];
    const abilities = new Map(all.map((person) => [person._id, person.abilities]));
    const none = { edit: false, delete: false, restore: false, erase: false, give_backup: false };
    expect(abilities.get(String(tenant.user.id))).toEqual({ ...none, give_backup: true });
    expect(abilities.get(String(above.user.id))).toEqual(none);
    expect(abilities.get(String(below.user.id))).toEqual({ ...none, edit: true, delete: true, give_backup: true });
    expect(abilities.get(String(gone.user.id))).toEqual({ ...none, restore: true, erase: true, give_backup: true });
  });

  it('without pages names those of the scope that are not deleted', async () => {
    const tenant = await buildAdministrator(server, { user: { fname: 'Zed' } });
    const { user } = await buildMailbox(server.app, { tenant, user: { fname: 'Abe', lname: 'Moss' } });
    await buildMailbox(server.app, { tenant, user: { deletedAt: new Date() } });
    const { body } = await tenant.call('GET', '/user/get/all/without_filter');
    expect(body.data).toEqual([
      { _id: String(user.id), fname: 'Abe', lname: 'Moss', email: user.email },
      { _id: String(tenant.user.id), fname: 'Zed', lname: 'Test', email: tenant.user.email },
    ]);
  });
});

describe('one person', () => {
  it('is shown whole, with each permission and where it comes from', async () => {
    const details = { designation: 'Weaver', bio: 'Hi', country: 'India', phoneNumber: '9876543210' };
    const state = { recoveryEmail: 'home@remote.test', twoFactorStatus: true, loginAllowed: false };
    const { user, company, role, domain } = await buildMailbox(server.app, {
      tenant: admin,
      user: { ...details, ...state },
    });
    const own = { companyId: String(company.id), userId: String(user.id), model: 'trash' };
    await UserPermission.create({ ...own, canView: true });
    const { body } = await admin.call('GET', `/user/get/${user.id}`);
    const person = body.data as UserDetailDto;
    expect(person).toMatchObject({
      _id: String(user.id),
      email: user.email,
      designation: 'Weaver',
      bio: 'Hi',
      country: 'India',
      phone_number: '9876543210',
      recovery_email: 'home@remote.test',
      recovery_email_confirmed: false,
      twoFactorStatus: true,
      loginAllowed: false,
      active_status: true,
      deletedAt: null,
      domain_id: String(domain.id),
      role_id: { _id: String(role.id), role_id: 2, role_name: 'User' },
      company_id: { _id: String(company.id), name: company.name },
      version: 1,
    });
    expect(person.permissions.find(({ model }) => model === 'trash')).toEqual({
      model: 'trash',
      view: true,
      create: false,
      edit: false,
      delete: false,
      source: 'own',
    });
    expect(person.permissions.find(({ model }) => model === 'inbox')).toMatchObject({ edit: true, source: 'role' });
    expect(person.permissions.map(({ model }) => model)).toEqual(modelNames.toSorted());
    expect(JSON.stringify(body)).not.toMatch(/argon2|twoFactorSecret/);
  });

  it('is not there once they are erased, nor for another company', async () => {
    const erased = await buildMailbox(server.app, {
      tenant: admin,
      user: { deletedAt: new Date(), erasedAt: new Date() },
    });
    const foreign = await buildMailbox(server.app);
    for (const { user } of [erased, foreign]) {
      const { status, body } = await admin.call('GET', `/user/get/${user.id}`);
      expect([status, body['code']]).toEqual([404, 'user_not_found']);
    }
  });
});

describe('the choices of a form', () => {
  it("are the company's roles and domains, with the roles that the caller may give", async () => {
    const tenant = await buildAdministrator(server);
    const weaver = await buildRole(tenant, [['inbox', 'view']]);
    const planner = await buildRole(tenant, [['clients', 'view']]);
    const off = await buildRole(tenant, [], { activeStatus: false });
    await buildRole(tenant, [], { deletedAt: new Date() });
    await buildDomain(tenant, { deletedAt: new Date() });
    const { body } = await tenant.call('GET', '/user/form/choices');
    const { company, roles, domains } = body.data as UserChoices;
    expect(company).toEqual({ _id: String(tenant.company.id), name: tenant.company.name });
    const assignable = new Map(roles.map((role) => [role._id, role.assignable]));
    expect(assignable).toEqual(
      new Map([
        [String(tenant.roles.get(0)?.id), false],
        [String(tenant.roles.get(1)?.id), true],
        [String(tenant.roles.get(2)?.id), true],
        [String(weaver.id), true],
        [String(planner.id), false],
        [String(off.id), false],
      ]),
    );
    expect(domains).toEqual([
      { _id: String(tenant.domain.id), domain_name: tenant.domain.domainName, active_status: true },
    ]);
  });

  it('of another company are for people of the provider', async () => {
    const other = await buildCompany(server.app);
    const path = `/user/form/choices?company_id=${other.company.id}`;
    expect((await admin.call('GET', path)).status).toBe(404);
    const provider = await buildProvider(server);
    expect((await provider.call('GET', path)).body.data).toMatchObject({ company: { name: other.company.name } });
  });
});
