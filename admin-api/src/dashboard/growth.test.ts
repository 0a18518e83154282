import { inTransaction, systemContext } from '@selvage/core/context/context';
import type { GrowthDto } from '@selvage/core/contracts/dashboard';
import { builtInRole } from '@selvage/core/contracts/permissions';
import { eraseCompanyRows } from '@selvage/core/directory/erase-rows';
import { insertPeople } from '@selvage/core/directory/insert-people';
import { Client } from '@selvage/core/models/client';
import { GrowthSlot } from '@selvage/core/models/growth-slot';
import { User } from '@selvage/core/models/user';
import { statements as first } from '@selvage/core/database/migrations/20261123-2000-growth';
import { statements as second } from '@selvage/core/database/migrations/20261124-0430-growth-of-kept-companies';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildCompany, buildMailbox, buildRole, type Mailbox, type Tenant } from '../../../tests/support/factories.ts';
import { untilHourLasts } from '../../../tests/support/rest-of-day.ts';
import { startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;
let provider: Tenant;
let staff: string;

beforeAll(async () => {
  server = await startTestServer();
  provider = await buildCompany(server.app, { isProvider: true });
  staff = await tokenOf(await buildMailbox(server.app, { tenant: provider, roleNumber: builtInRole.superAdmin }));
});

async function tokenOf({ user, password }: Mailbox): Promise<string> {
  return (await server.signIn(user.email, password)).token;
}

async function growth(query: string, token = staff): Promise<GrowthDto> {
  const { status, body } = await server.call('GET', `/superadmin/dashboard/growth?${query}`, { token });
  expect([status, body.message]).toEqual([200, expect.anything()]);
  return body.data as GrowthDto;
}

async function refused(query: string, token = staff): Promise<[number, unknown]> {
  const { status, body } = await server.call('GET', `/superadmin/dashboard/growth?${query}`, { token });
  return [status, body.code];
}

/** A person of a company, added at a moment. */
const joined = (tenant: Tenant, createdAt: string) =>
  buildMailbox(server.app, { tenant, user: { createdAt: new Date(createdAt) } });

/** A company whose administrator was added long ago, with the administrator's token. */
async function buildMill(): Promise<{ tenant: Tenant; token: string; admin: Mailbox }> {
  const tenant = await buildCompany(server.app);
  const user = { createdAt: new Date('2019-01-01T00:00:00Z') };
  const admin = await buildMailbox(server.app, { tenant, roleNumber: builtInRole.admin, user });
  return { tenant, admin, token: await tokenOf(admin) };
}

const range = (startDate: string, endDate: string, zone = 'UTC') =>
  `filter=range&startDate=${startDate}&endDate=${endDate}&time_zone=${encodeURIComponent(zone)}`;

const added = (points: GrowthDto['growth']['daily']) =>
  points.filter(({ userGrowth }) => userGrowth !== 0).map(({ date, userGrowth }) => [date, userGrowth]);

describe('the growth of a company', () => {
  it('is counted by days, weeks and months of a range', async () => {
    const { tenant, token } = await buildMill();
    for (const day of ['2022-01-31', '2022-02-01', '2022-02-01', '2022-02-28'])
      await joined(tenant, `${day}T12:00:00Z`);
    const { growth: points, total, period, totals } = await growth(range('2022-01-31', '2022-02-28'), token);
    expect(period).toEqual({ start: '2022-01-31', end: '2022-02-28' });
    expect(points.daily).toHaveLength(29);
    expect(added(points.daily)).toEqual([
      ['2022-01-31', 1],
      ['2022-02-01', 2],
      ['2022-02-28', 1],
    ]);
    expect(added(points.weekly)).toEqual([
      ['2022-01-31', 3],
      ['2022-02-28', 1],
    ]);
    expect(added(points.monthly)).toEqual([
      ['2022-01-31', 1],
      ['2022-02-01', 3],
    ]);
    expect(points.monthly[1]).toEqual({
      label: 'Feb 2022',
      date: '2022-02-01',
      month: 2,
      weekNumber: 5,
      userGrowth: 3,
      clientGrowth: null,
    });
    expect(total).toEqual({ users: 4, clients: null });
    expect(totals).toEqual({ users: 5, domains: 1 });
  });

  it('counts a person on the day of the reader’s time zone', async () => {
    const { tenant, token } = await buildMill();
    await joined(tenant, '2022-05-31T18:40:00Z');
    const dayIn = async (zone: string) =>
      added((await growth(range('2022-05-25', '2022-06-05', zone), token)).growth.daily);
    expect(await dayIn('UTC')).toEqual([['2022-05-31', 1]]);
    expect(await dayIn('Asia/Kolkata')).toEqual([['2022-06-01', 1]]);
    expect(await dayIn('Asia/Kathmandu')).toEqual([['2022-06-01', 1]]);
    expect(await dayIn('America/New_York')).toEqual([['2022-05-31', 1]]);
  });

  it('falls when a person is deleted, and is again what it was when the person is restored', async () => {
    const { tenant, token } = await buildMill();
    const person = await joined(tenant, '2022-07-07T12:00:00Z');
    const now = async () => {
      const { total, totals } = await growth(range('2022-07-01', '2022-07-31'), token);
      return [total.users, totals.users];
    };
    expect(await now()).toEqual([1, 2]);
    expect((await server.call('DELETE', `/user/delete/${person.user.id}`, { token })).status).toBe(200);
    expect(await now()).toEqual([0, 1]);
    expect((await server.call('PATCH', `/user/restore/${person.user.id}`, { token })).status).toBe(200);
    expect(await now()).toEqual([1, 2]);
  });

  it('is that of this week, month and year, and of the last twelve months', { timeout: 120_000 }, async () => {
    await untilHourLasts();
    const { token } = await buildMill();
    const today = new Date().toISOString().slice(0, 10);
    for (const filter of ['day', 'week', 'month', 'year', 'all']) {
      const { period, growth: points } = await growth(`filter=${filter}`, token);
      expect(period.end).toBe(today);
      expect(points.monthly.at(-1)?.month).toBe(Number(today.slice(5, 7)));
      if (filter === 'day') expect(points.daily.map(({ date }) => date)).toEqual([today]);
      if (filter === 'all') expect(points.monthly).toHaveLength(12);
    }
    expect((await growth('', token)).period.start).toBe(`${today.slice(0, 7)}-01`);
  });

  it('shows a company nothing of others, and no client', async () => {
    const other = await buildMill();
    await joined(other.tenant, '2022-08-08T12:00:00Z');
    const { token } = await buildMill();
    expect((await growth(range('2022-08-01', '2022-08-31'), token)).total).toEqual({ users: 0, clients: null });
    const client = await Client.create({
      companyId: String(other.tenant.company.id),
      fname: 'C',
      personalEmail: 'c@x.test',
      businessEmail: 'c@y.test',
    });
    expect(await refused(`client_id=${client.id}`, token)).toEqual([403, 'forbidden']);
  });
});

describe('the growth of the host', () => {
  it('is the sum of all, or that of a client', async () => {
    const mill = await buildMill();
    const createdAt = new Date('2021-03-03T12:00:00Z');
    const companyId = String(mill.tenant.company.id);
    const client = await Client.create({
      companyId,
      fname: 'C',
      personalEmail: 'c@x.test',
      businessEmail: 'd@y.test',
      createdAt,
    });
    await joined(mill.tenant, '2021-03-04T12:00:00Z');
    await joined((await buildMill()).tenant, '2021-03-05T12:00:00Z');
    const march = range('2021-03-01', '2021-03-31');
    expect((await growth(march)).total).toEqual({ users: 2, clients: 1 });
    expect((await growth(`${march}&client_id=${client.id}`)).total).toEqual({ users: 1, clients: 1 });
    expect(await refused('client_id=999999')).toEqual([404, 'client_not_found']);
  });

  it('loses an erased company, and no other', async () => {
    const mill = await buildMill();
    await joined(mill.tenant, '2020-04-04T12:00:00Z');
    const deleted = await joined(mill.tenant, '2020-04-05T12:00:00Z');
    await deleted.user.update({ deletedAt: new Date() });
    await joined((await buildMill()).tenant, '2020-04-04T12:00:00Z');
    const april = range('2020-04-01', '2020-04-30');
    expect((await growth(april)).total.users).toBe(2);
    await mill.tenant.company.update({ deletedAt: new Date(), erasedAt: new Date() });
    expect(await eraseCompanyRows(systemContext(server.app), String(mill.tenant.company.id))).toBe(true);
    expect((await growth(april)).total.users).toBe(1);
    expect(await User.count({ where: { companyId: String(mill.tenant.company.id) } })).toBe(0);
  });

  it('leaves out a deleted company with its people and client, as its domains, until it is restored', async () => {
    const mill = await buildMill();
    const companyId = String(mill.tenant.company.id);
    const createdAt = new Date('2018-05-04T12:00:00Z');
    const address = { personalEmail: 'e@x.test', businessEmail: 'f@y.test' };
    await Client.create({ companyId, fname: 'E', createdAt, ...address });
    const person = await joined(mill.tenant, '2018-05-05T12:00:00Z');
    const may = range('2018-05-01', '2018-05-31');
    const now = async () => {
      const { total, totals } = await growth(may);
      return { ...total, people: totals.users, domains: totals.domains };
    };
    const before = await now();
    expect(before).toMatchObject({ users: 1, clients: 1 });
    const { people, domains } = before;
    expect((await server.call('DELETE', `/company/delete/${companyId}`, { token: staff })).status).toBe(200);
    expect(await now()).toEqual({ users: 0, clients: 0, people: people - 2, domains: domains - 1 });
    // A person who leaves a deleted company is not taken out twice
    await person.user.update({ deletedAt: new Date() });
    expect(await now()).toMatchObject({ users: 0, people: people - 2 });
    await person.user.update({ deletedAt: null });
    expect((await server.call('PATCH', `/company/restore/${companyId}`, { token: staff })).status).toBe(200);
    expect(await now()).toEqual(before);
  });

  it('is right when people come and go while their company is deleted and restored', async () => {
    const mill = await buildMill();
    const companyId = String(mill.tenant.company.id);
    const before = (await growth('')).totals.users;
    const change = (method: string, what: string) =>
      server.call(method, `/company/${what}/${companyId}`, { token: staff });
    const { domain, roles } = mill.tenant;
    let count = 0;
    const add = () => {
      const email = `n${(count += 1)}@${domain.domainName}`;
      const ids = { companyId, roleId: String(roles.get(builtInRole.user)?.id), domainId: String(domain.id) };
      return inTransaction(systemContext(server.app), (tx) =>
        User.create({ ...ids, email, passwordHash: '', fname: 'Ana' }, { transaction: tx.tx }),
      );
    };
    for (let round = 0; round < 3; round += 1) {
      await Promise.all([add(), add(), change('DELETE', 'delete'), add(), add()]);
      expect((await growth('')).totals.users).toBe(before - 1);
      await Promise.all([add(), add(), change('PATCH', 'restore'), add(), add()]);
      expect((await growth('')).totals.users).toBe(before + count);
    }
  });

  it('counts people who are added by a file', { timeout: 120_000 }, async () => {
    await untilHourLasts();
    const mill = await buildMill();
    const { company, domain, roles } = mill.tenant;
    const before = (await growth('', mill.token)).totals.users;
    const people = ['a', 'b', 'c'].map((local) => ({
      companyId: String(company.id),
      roleId: String(roles.get(builtInRole.user)?.id),
      domainId: String(domain.id),
      email: `${local}@${domain.domainName}`,
      passwordHash: '',
      fname: 'Ana',
    }));
    await inTransaction(systemContext(server.app), (tx) => insertPeople(tx, people));
    expect((await growth('', mill.token)).totals.users).toBe(before + 3);
    expect((await growth('filter=day', mill.token)).total.users).toBe(3);
  });

  it('hides clients from people of the provider who may not see them', async () => {
    const role = await buildRole(provider, { permissions: [{ model: 'home', view: true }] });
    provider.roles.set(role.roleId, role);
    const token = await tokenOf(await buildMailbox(server.app, { tenant: provider, roleNumber: role.roleId }));
    expect((await growth('', token)).total.clients).toBeNull();
    expect(await refused('client_id=1', token)).toEqual([403, 'forbidden']);
  });

  it('is what a count of all people says, also after an upgrade', async () => {
    const kept = await GrowthSlot.findAll({ order: ['companyId', 'slotAt'], raw: true });
    const [rows] = await server.app.db.query(
      `SELECT COUNT(*) AS users FROM users u JOIN companies c ON c.id = u.company_id
        WHERE u.deleted_at IS NULL AND c.deleted_at IS NULL`,
    );
    const [{ users }] = rows as [{ users: string }];
    expect((await growth('')).totals.users).toBe(Number(users));
    await server.app.db.query('DELETE FROM growth_slots');
    for (const statement of [...first, ...first, ...second, ...second]) await server.app.db.query(statement);
    const found = await GrowthSlot.findAll({ order: ['companyId', 'slotAt'], raw: true });
    expect(found).toEqual(kept.filter(({ users: people, clients }) => people !== 0 || clients !== 0));
  });
});

describe('a question that has no answer', () => {
  it.each([
    ['filter=decade'],
    ['filter=range'],
    ['filter=range&startDate=2026-02-30&endDate=2026-03-01'],
    ['filter=range&startDate=2026-3-1&endDate=2026-03-02'],
    ['filter=range&startDate=2026-03-02&endDate=2026-03-01'],
    ['filter=range&startDate=1970-01-01&endDate=2070-01-01'],
    ['filter=range&startDate=1026-01-01&endDate=1026-01-02'],
    ['time_zone=Mars/Olympus'],
    [`time_zone=${'a'.repeat(100)}`],
    ['client_id=1%20OR%201=1'],
  ])('is refused: %s', async (query) => {
    expect((await refused(query))[0]).toBe(422);
  });
});
