import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AuditAction, recordAudit } from '@selvage/core/access/audit';
import { inTransaction, systemContext } from '@selvage/core/context/context';
import { type AuditArea, auditAreas, type AuditEventDto } from '@selvage/core/contracts/audit-log';
import { builtInRole } from '@selvage/core/contracts/permissions';
import { eraseUserRows } from '@selvage/core/directory/erase-rows';
import { AuditEvent } from '@selvage/core/models/audit-event';
import { User } from '@selvage/core/models/user';
import { QueryTypes } from 'sequelize';
import { beforeAll, describe, expect, it } from 'vitest';
import type { PlanStep } from '../../../tests/support/explain.ts';
import { buildCompany, buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { countQueries, queriesOf } from '../../../tests/support/queries-of.ts';
import { buildAdministrator, buildRole } from '../test-people.ts';
import { startTestServer, type TestServer } from '../test-server.ts';
import { areaOf } from './audit-log.ts';

let server: TestServer;
let admin: Mailbox;
let token: string;
let staffToken: string;

beforeAll(async () => {
  server = await startTestServer();
  admin = await buildMailbox(server.app, { roleNumber: builtInRole.admin });
  const provider = await buildCompany(server.app, { isProvider: true });
  const staff = await buildMailbox(server.app, { tenant: provider, roleNumber: builtInRole.superAdmin });
  token = (await server.signIn(admin.user.email, admin.password)).token;
  staffToken = (await server.signIn(staff.user.email, staff.password)).token;
});

async function list(query = '', as = token): Promise<AuditEventDto[]> {
  const { status, body } = await server.call('GET', `/audit/get/all?limit=100&${query}`, { token: as });
  expect(status).toBe(200);
  return body.data as AuditEventDto[];
}

/** How the database finds the events of the pages that `work` reads. */
async function plansOf(work: () => Promise<unknown>): Promise<PlanStep[]> {
  const pages = (await queriesOf(server.app, work)).filter((sql) => /FROM `audit_events`.* ORDER BY/.test(sql));
  const plans = await Promise.all(
    pages.map((sql) => server.app.db.query<PlanStep>(`EXPLAIN ${sql}`, { type: QueryTypes.SELECT })),
  );
  return plans.flat().filter(({ table }) => table === 'AuditEvent');
}

describe('the audit trail', () => {
  it('says who did what to which record, when and from where', async () => {
    const { id } = admin.company;
    await server.call('PUT', `/company/update/${id}`, { token, body: { city: 'Agra' } });
    const [latest] = await list();
    expect(latest).toMatchObject({
      action: 'company:updated',
      entity: 'company',
      entity_id: String(id),
      company_id: { _id: String(id), name: admin.company.name },
      actor: { _id: String(admin.user.id), name: 'Ana Test', email: admin.user.email },
      details: { fields: ['city'], version: 2 },
      record: { name: admin.company.name, email: '' },
      address: '127.0.0.1',
    });
  });

  it('names the person and the role that an act is about, also once they are permanently deleted', async () => {
    const boss = await buildAdministrator(server);
    const { user } = await buildMailbox(server.app, { tenant: boss });
    const role = await buildRole(boss, []);
    const own = (query = '') => list(query, boss.token);
    const about = (events: AuditEventDto[]) => events.map(({ action, record }) => [action, record]);
    const named = { name: `${user.fname} ${user.lname}`.trim(), email: user.email };
    expect((await boss.call('POST', `/user/sessions/end/${user.id}`)).status).toBe(200);
    expect((await boss.call('DELETE', `/role/delete/${role.id}`)).status).toBe(200);
    expect(about(await own()).slice(0, 2)).toEqual([
      ['role:deleted', { name: role.roleName, email: '' }],
      ['session:end', named],
    ]);
    expect(about(await own(`search=${user.email}`))).toEqual([['session:end', named]]);
    await boss.call('DELETE', `/user/delete/${user.id}`);
    await boss.call('DELETE', `/user/permanently/delete/${user.id}`);
    expect(await eraseUserRows(systemContext(server.app), String(user.id))).toBe(true);
    expect((await boss.call('DELETE', `/role/permanent-delete/${role.id}`)).status).toBe(200);
    // As events were written that did not name their record
    await AuditEvent.update({ details: null }, { where: { action: ['session:end', 'role:deleted'] } });
    const gone = { name: user.email, email: user.email };
    expect(about(await own())).toEqual(
      expect.arrayContaining([
        ['role:deleted', { name: role.roleName, email: '' }],
        ['session:end', gone],
        ['user:erased', gone],
      ]),
    );
    const found = await own(`search=${user.email}`);
    expect(found.map(({ action }) => action)).toEqual(['user:erased', 'user:deleted', 'session:end']);
    expect(found.map(({ record }) => record)).toEqual([gone, gone, gone]);
  });

  it('does not name people of another company', async () => {
    const other = await buildMailbox(server.app);
    await recordAudit(systemContext(server.app), {
      action: 'user:updated',
      entity: 'user',
      entityId: String(other.user.id),
      companyId: String(admin.company.id),
    });
    const [latest] = await list();
    expect(latest).toMatchObject({ action: 'user:updated', entity_id: String(other.user.id), record: null });
    const [seen] = await list(`company_id=${admin.company.id}`, staffToken);
    expect(seen?.record?.email).toBe(other.user.email);
  });

  it('is narrowed by area, period, person and address', async () => {
    expect(new Set((await list('area=login')).map(({ action }) => action))).toEqual(new Set(['session:start']));
    expect((await list('area=client')).length).toBe(0);
    const ctx = { ...systemContext(server.app), address: '203.0.113.9' };
    const companyId = String(admin.company.id);
    await recordAudit(ctx, { action: 'password:changed', companyId });
    const found = await list('search=203.0.113.9');
    expect(found).toMatchObject([{ action: 'password:changed', actor: null }]);
    await AuditEvent.update(
      { createdAt: new Date(Date.now() - 2 * 86_400_000) },
      { where: { id: found.map(({ _id }) => _id) } },
    );
    expect(await list('search=203.0.113.9&period=day')).toEqual([]);
    expect((await list('search=203.0.113.9&period=week')).length).toBe(1);
    expect((await list(`search=${admin.user.email}`)).length).toBeGreaterThan(0);
  });

  it('keeps the actor of an event, whom a search finds by address, when the person is gone for good', async () => {
    const thief = await buildAdministrator(server, { tenant: admin });
    const { id, email } = thief.user;
    expect((await thief.call('PUT', `/company/update/${admin.company.id}`, { city: 'Pune' })).status).toBe(200);
    const mine = { actor: { _id: String(id), email, is_erased: false } };
    expect(await list(`area=company&search=${email}`)).toMatchObject([mine]);
    await server.call('DELETE', `/user/delete/${id}`, { token });
    expect((await server.call('DELETE', `/user/permanently/delete/${id}`, { token })).status).toBe(200);
    expect(await eraseUserRows(systemContext(server.app), String(id))).toBe(true);
    const gone = { action: 'company:updated', actor: { _id: String(id), name: email, email, is_erased: true } };
    expect(await list(`area=company&search=${email}`)).toMatchObject([gone]);
    expect(await list('area=company&search=email')).toEqual([]);
    // As after the permanent deletion of their whole company
    await AuditEvent.destroy({ where: { action: 'user:erased', entityId: String(id) } });
    const unnamed = { _id: String(id), name: '', email: '', is_erased: true };
    expect((await list('area=company')).map(({ actor }) => actor)).toContainEqual(unnamed);
  });

  it('finds each word in the person or in the address, also of a person of another company', async () => {
    const companyId = String(admin.company.id);
    const provider = await buildCompany(server.app, { isProvider: true });
    const { user } = await buildMailbox(server.app, { tenant: provider });
    const name = `Zoë${user.id}`;
    await user.update({ fname: name });
    const ctx = { ...systemContext(server.app), address: '203.0.113.77' };
    await recordAudit(ctx, { action: 'password:changed', companyId });
    const { id } = await AuditEvent.create({
      companyId,
      actorId: String(user.id),
      action: 'company:updated',
      address: '203.0.113.77',
      details: null,
      createdAt: new Date(),
    });
    const words = (search: string) => list(`search=${encodeURIComponent(search)}`);
    const asked = await queriesOf(server.app, async () => {
      expect((await words(`zoe${user.id}`)).map(({ _id }) => _id)).toEqual([String(id)]);
    });
    const ofTrail = asked.filter((sql) => sql.includes('audit_events') && !sql.includes('user:erased'));
    expect(ofTrail.filter((sql) => sql.includes('LIKE'))).toEqual([]);
    expect((await words(`113.77 ${name}`)).map(({ _id }) => _id)).toEqual([String(id)]);
    expect(await words('113.77')).toHaveLength(2);
    expect(await words(`${name} no-such-word`)).toEqual([]);
  });

  it('is searched by people also where thousands have the word', async () => {
    const { user } = await buildMailbox(server.app, { tenant: admin });
    const { companyId, roleId, domainId, passwordHash } = user;
    const people = Array.from({ length: 2100 }, (_one, n) => ({
      companyId,
      roleId,
      domainId,
      passwordHash,
      lname: 'Test',
      fname: `Crowd${user.id}`,
      email: `crowd-${user.id}-${n}@crowd.test`,
    }));
    // In one transaction: thousands of commits take long, and a connection for each of them
    await inTransaction(systemContext(server.app), ({ tx }) => User.bulkCreate(people, { transaction: tx }));
    const last = await User.findOne({ where: { email: people.at(-1)?.email ?? '' }, rejectOnEmpty: true });
    await AuditEvent.create({
      companyId: String(admin.company.id),
      actorId: String(last.id),
      action: 'company:updated',
      address: '203.0.113.78',
      details: null,
      createdAt: new Date(),
    });
    const asked = await queriesOf(server.app, async () => {
      expect(await list(`search=crowd${user.id}`)).toMatchObject([{ actor: { _id: String(last.id) } }]);
    });
    // A word that is repeated does not name its people once more
    const repeated = await queriesOf(
      server.app,
      async () => void (await list(`search=crowd${user.id}+crowd${user.id}`)),
    );
    expect(repeated).toHaveLength(asked.length);
    const ofTrail = asked.filter((sql) => sql.includes('audit_events') && !sql.includes('user:erased'));
    expect([ofTrail.length > 0, ofTrail.filter((sql) => sql.includes('LIKE'))]).toEqual([true, []]);
  });

  it('has each action in one area: a copy of mail that went to another person is found as well', async () => {
    const ctx = { ...systemContext(server.app), address: '203.0.113.44' };
    const companyId = String(admin.company.id);
    const actions: Partial<Record<AuditArea, AuditAction[]>> = {
      backup: ['mail-backup:given', 'mail-backup:opened', 'archive:asked', 'archive:downloaded'],
      host: ['environment:revealed', 'host:restart-asked'],
      account: ['filter:created', 'blocked-sender:added', 'vacation:on'],
    };
    const all = Object.values(actions).flat();
    for (const action of all) await recordAudit(ctx, { action, companyId });
    const found = await Promise.all(
      auditAreas.map(async (area) => (await list(`area=${area}&search=203.0.113.44`)).map(({ action }) => action)),
    );
    for (const [area, wanted] of Object.entries(actions)) {
      expect(found[auditAreas.indexOf(area as AuditArea)]?.toSorted()).toEqual(wanted.toSorted());
    }
    expect(found.flat().toSorted()).toEqual(all.toSorted());
  });

  it('knows the area of every subject that the trail can speak of', () => {
    const source = readFileSync(join(import.meta.dirname, '../../../core/src/access/audit.ts'), 'utf8');
    const declared = /export type AuditAction =([\s\S]*?);/.exec(source)?.[1] ?? '';
    const subjects = [...declared.matchAll(/['`]([a-z-]+):/g)].map(([, subject = '']) => subject);
    expect([...new Set(subjects)].toSorted()).toEqual(Object.keys(areaOf).toSorted());
    expect(new Set(Object.values(areaOf))).toEqual(new Set(auditAreas));
  });

  it('is that of the own company alone, and of every company for people of the provider', async () => {
    const companies = new Set((await list()).map(({ company_id }) => company_id?._id));
    expect([...companies]).toEqual([String(admin.company.id)]);
    const other = await buildMailbox(server.app);
    expect(await list(`company_id=${other.company.id}`)).toEqual([]);
    const seen = await list(`company_id=${admin.company.id}`, staffToken);
    expect(seen.length).toBeGreaterThan(0);
  });

  it('is read from indexes, however many events there are', async () => {
    const { user } = await buildMailbox(server.app, { tenant: admin });
    const event = { entity: 'user', entityId: String(user.id), companyId: String(admin.company.id) };
    await recordAudit(systemContext(server.app), { action: 'user:updated', ...event });
    await server.app.db.query(
      `INSERT INTO audit_events (company_id, actor_id, entity, entity_id, action, address, created_at)
       SELECT ELT(seq % 2 + 1, :company, NULL), seq + 1000000, 'user', seq + 1000000, 'user:updated', '192.0.2.9',
              UTC_TIMESTAMP(3) - INTERVAL seq SECOND FROM seq_1_to_20000`,
      { replacements: { company: admin.company.id } },
    );
    await server.app.db.query('ANALYZE TABLE audit_events');
    const [page] = await plansOf(() => list('', staffToken));
    expect(page).toMatchObject({ key: 'audit_created', Extra: 'Using index' });
    for (const as of [token, staffToken]) {
      const steps = await plansOf(async () => expect(await list(`search=${user.email}`, as)).toHaveLength(1));
      expect(steps.length).toBeGreaterThan(0);
      for (const step of steps) expect(Number(step.rows)).toBeLessThan(100);
    }
  });

  it('is read with as many queries for many events as for one', async () => {
    const count = (limit: number) =>
      countQueries(server.app, () => server.call('GET', `/audit/get/all?limit=${limit}&area=login`, { token }));
    // All of them are about people: there is one more query for each further kind of records
    expect(await count(100)).toBe(await count(1));
  });
});
