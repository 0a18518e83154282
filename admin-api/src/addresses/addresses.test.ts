import type { AliasDto } from '@selvage/core/contracts/aliases';
import { type GroupDetailDto, maxMembers } from '@selvage/core/contracts/groups';
import { Address } from '@selvage/core/models/address';
import { AuditEvent } from '@selvage/core/models/audit-event';
import { Domain } from '@selvage/core/models/domain';
import { Group } from '@selvage/core/models/group';
import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildAlias, buildGroup, buildMailbox, buildRole, type Mailbox } from '../../../tests/support/factories.ts';
import { type Administrator, buildAdministrator, buildDomain, buildProvider, newPerson } from '../test-people.ts';
import { type Answer, startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;
let admin: Administrator;
let other: Administrator;

beforeAll(async () => {
  server = await startTestServer();
  admin = await buildAdministrator(server);
  other = await buildAdministrator(server);
});

const inTenant = (tenant = admin) => buildMailbox(server.app, { tenant });
const local = () => `a${randomBytes(4).toString('hex')}`;
const at = (name: string, { domain } = admin) => `${name}@${domain.domainName}`;
const idOf = ({ user }: Mailbox) => String(user.id);
const data = <T>({ body }: Answer) => body.data as T;
const actionsOf = async (entity: string, entityId: string) => {
  const events = await AuditEvent.findAll({ where: { entity, entityId }, order: [['id', 'ASC']] });
  return events.map(({ action }) => action);
};

describe('aliases', () => {
  const add = (person: Mailbox, address: string, as = admin) =>
    as.call('POST', `/user/aliases/${idOf(person)}`, { address });
  const list = async (person: Mailbox) =>
    data<AliasDto[]>(await admin.call('GET', `/user/aliases/${idOf(person)}`)).map(({ address }) => address);

  it('are added, listed and taken away, and leave audit events', async () => {
    const ana = await inTenant();
    const name = local();
    const made = data<AliasDto>(await add(ana, at(name.toUpperCase())));
    expect(made.address).toBe(at(name));
    expect(await list(ana)).toEqual([at(name)]);
    expect((await admin.call('DELETE', `/alias/delete/${made._id}`)).status).toBe(200);
    expect(await list(ana)).toEqual([]);
    expect((await admin.call('DELETE', `/alias/delete/${made._id}`)).status).toBe(404);
    expect(await actionsOf('user', idOf(ana))).toEqual(['alias:added', 'alias:removed']);
    // Free again
    expect((await add(await inTenant(), at(name))).status).toBe(200);
  });

  it('may be given to oneself, and to no person that may do more', async () => {
    expect((await add(admin, at(local()))).status).toBe(200);
    const provider = await buildProvider(server);
    const staff = await buildAdministrator(server, { tenant: provider });
    const answer = await add(provider, at(local(), provider), staff);
    expect([answer.status, answer.body.code]).toEqual([403, 'outranked']);
    const alias = await buildAlias(provider);
    expect((await staff.call('DELETE', `/alias/delete/${alias.id}`)).body.code).toBe('outranked');
  });

  it('by which a domain is proved are given by people alone who may edit domains', async () => {
    const all = { view: true, create: true, edit: true, delete: true };
    const role = await buildRole(admin, { permissions: [{ model: 'user', ...all }] });
    const helper = await buildAdministrator(server, { tenant: admin, user: { roleId: String(role.id) } });
    const ana = await buildMailbox(server.app, { tenant: admin, user: { roleId: String(role.id) } });
    for (const name of ['postmaster', 'abuse', 'hostmaster', 'webmaster', 'admin', 'administrator']) {
      const text = `The name ${name} can only be given by people who may edit domains`;
      const asAlias = await add(ana, at(name), helper);
      expect([asAlias.status, asAlias.body.errors]).toEqual([422, { address: text }]);
    }
    const text = 'The name hostmaster can only be given by people who may edit domains';
    const group = { name: 'Team', address: at('hostmaster'), members: [idOf(ana)] };
    expect((await helper.call('POST', '/group/create', group)).body.errors).toEqual({ address: text });
    const person = newPerson(admin, { email: at('hostmaster'), role_id: String(role.id) });
    expect((await helper.call('POST', '/user/create', person)).body.errors).toEqual({ email: text });
    expect((await add(ana, at('webmaster'))).status).toBe(200);
    const made = await admin.call('POST', '/group/create', { ...group, members: [] });
    const path = `/group/update/${data<GroupDetailDto>(made)._id}`;
    const change = (as: Administrator, given: object) => as.call('PUT', path, given);
    expect((await change(helper, { add_members: [idOf(ana)] })).body.errors).toEqual({ add_members: text });
    expect((await change(helper, { name: 'Owners' })).status).toBe(200);
    expect((await change(admin, { add_members: [idOf(ana)] })).status).toBe(200);
  });

  it('are not the sender of the host’s own mail, but by a Super Admin', async () => {
    const provider = await buildProvider(server);
    const staff = await buildAdministrator(server, { tenant: provider });
    const own = await buildMailbox(server.app, { tenant: provider });
    const address = at('postmaster', provider);
    expect((await add(own, address, staff)).body.errors).toEqual({
      address: 'Only a Super Admin can give this name, since the host sends its own mail from it',
    });
    expect((await add(own, address, provider)).status).toBe(200);
  });

  it('are refused where a person, deleted or not, an alias or a group has the address', async () => {
    const ana = await inTenant();
    const gone = await buildMailbox(server.app, { tenant: admin, user: { deletedAt: new Date() } });
    const alias = await buildAlias(await inTenant());
    const group = await buildGroup(admin);
    for (const address of [ana.user.email, gone.user.email, alias.address, group.address]) {
      const { status, body } = await add(ana, address);
      expect([address, status, body.code, body.errors]).toEqual([
        address,
        409,
        'address_taken',
        { address: 'This address is taken, perhaps by a deleted user' },
      ]);
    }
  });

  it('are refused outside the domains of the company, with the field named', async () => {
    const ana = await inTenant();
    const gone = await buildDomain(admin, { deletedAt: new Date() });
    for (const domain of [other.domain.domainName, gone.domainName, 'nowhere.test']) {
      const { status, body } = await add(ana, `${local()}@${domain}`);
      expect([status, body.errors]).toEqual([
        422,
        { address: 'The address must be in a verified domain of the company' },
      ]);
    }
    for (const bad of ['a..b', '.a', 'a.', 'a+b', 'a b', '', 'ä', 'x'.repeat(65)]) {
      const { status, body } = await add(ana, at(bad));
      expect([bad, status, Object.keys(body.errors ?? {})]).toEqual([bad, 422, ['address']]);
    }
  });

  it('may be in an internationalised domain, written in either form', async () => {
    const ana = await inTenant();
    const label = `bücher${randomBytes(4).toString('hex')}`;
    const ascii = new URL(`http://${label}.test`).hostname;
    await Domain.create({ companyId: String(admin.company.id), domainName: ascii, verifiedAt: new Date() });
    const name = local();
    expect(data<AliasDto>(await add(ana, `${name}@${label}.test`)).address).toBe(`${name}@${ascii}`);
    expect((await add(ana, `${name}@${ascii}`)).body.code).toBe('address_taken');
  });

  it('end at a limit', async () => {
    const ana = await inTenant();
    for (let count = 0; count < 100; count += 1) await buildAlias(ana);
    expect((await add(ana, at(local()))).body.code).toBe('too_many_aliases');
  });

  it('of another company answer 404', async () => {
    const theirs = await inTenant(other);
    const alias = await buildAlias(theirs);
    expect((await add(theirs, at(local(), other))).status).toBe(404);
    expect((await admin.call('GET', `/user/aliases/${idOf(theirs)}`)).status).toBe(404);
    expect((await admin.call('DELETE', `/alias/delete/${alias.id}`)).status).toBe(404);
    expect(await Address.count({ where: { id: alias.id } })).toBe(1);
  });

  it('take no address of a mailbox or a group away', async () => {
    const ana = await inTenant();
    const group = await buildGroup(admin);
    for (const address of [ana.user.email, group.address]) {
      const row = await Address.findOne({ where: { address }, rejectOnEmpty: true });
      expect((await admin.call('DELETE', `/alias/delete/${row.id}`)).status).toBe(404);
      expect(await Address.count({ where: { address } })).toBe(1);
    }
  });

  it('and people that claim one address at the same time: exactly one gets it', async () => {
    const ana = await inTenant();
    for (let round = 0; round < 5; round += 1) {
      const name = local();
      const answers = await Promise.all([
        add(ana, at(name)),
        admin.call('POST', '/user/create', newPerson(admin, { local: name })),
        admin.call('POST', '/group/create', { name, address: at(name) }),
        add(ana, at(name)),
      ]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
      expect(new Set(answers.filter(({ status }) => status === 409).map(({ body }) => body.code))).toEqual(
        new Set(['address_taken']),
      );
    }
  });
});

describe('groups', () => {
  const create = (body: object, as = admin) => as.call('POST', '/group/create', body);

  it('are created, listed, changed and deleted, and leave audit events', async () => {
    const [ana, ben] = [await inTenant(), await inTenant()];
    const address = at(local());
    const made = data<GroupDetailDto>(await create({ name: 'Sales', address, members: [idOf(ana), idOf(ben)] }));
    expect(made).toMatchObject({ name: 'Sales', address, people: 2, active_status: true, version: 1 });
    expect(made.members.map(({ email }) => email).toSorted()).toEqual([ana.user.email, ben.user.email].toSorted());
    const change = { name: 'Sales team', active_status: false, members: [idOf(ben)], version: 1 };
    const changed = data<GroupDetailDto>(await admin.call('PUT', `/group/update/${made._id}`, change));
    expect(changed).toMatchObject({ name: 'Sales team', active_status: false, people: 1, version: 2 });
    expect(data(await admin.call('GET', `/group/get/${made._id}`))).toEqual(changed);
    const listed = await admin.call('GET', `/group/get/all?search=${address}`);
    expect(data<GroupDetailDto[]>(listed)).toMatchObject([{ _id: made._id, people: 1 }]);
    expect((await admin.call('DELETE', `/group/delete/${made._id}`)).status).toBe(200);
    expect((await admin.call('GET', `/group/get/${made._id}`)).status).toBe(404);
    expect(await actionsOf('group', made._id)).toEqual(['group:created', 'group:updated', 'group:deleted']);
    expect((await create({ name: 'Sales', address })).status).toBe(200);
  });

  it('refuse a form that started from an older version, and change no member', async () => {
    const [ana, ben] = [await inTenant(), await inTenant()];
    const group = await buildGroup(admin, { members: [ana] });
    const change = (members: string[]) => admin.call('PUT', `/group/update/${group.id}`, { members, version: 1 });
    expect((await change([idOf(ana), idOf(ben)])).status).toBe(200);
    const late = await change([]);
    expect([late.status, late.body.code]).toEqual([409, 'changed_meanwhile']);
    expect(late.body.conflict).toMatchObject({ fields: ['members'], current: { people: 2 } });
    expect(data(await admin.call('GET', `/group/get/${group.id}`))).toMatchObject({ people: 2 });
  });

  it('have people of their company alone, each once, and at most so many', async () => {
    const ana = await inTenant();
    const theirs = await inTenant(other);
    const gone = await buildMailbox(server.app, { tenant: admin, user: { deletedAt: new Date() } });
    for (const id of [idOf(theirs), '999999999']) {
      const { status, body } = await create({ name: 'X', address: at(local()), members: [id] });
      expect([status, body.errors]).toEqual([422, { members: 'Choose people of the company' }]);
    }
    const { status, body } = await create({ name: 'X', address: at(local()), members: [idOf(ana), idOf(gone)] });
    const problem = `Deleted people cannot be added: ${gone.user.fname} ${gone.user.lname}`;
    expect([status, body.errors]).toEqual([422, { members: problem }]);
    const ids = Array.from({ length: maxMembers + 1 }, (_, n) => String(n + 1));
    expect((await create({ name: 'X', address: at(local()), members: ids })).status).toBe(422);
    const twice = await create({ name: 'X', address: at(local()), members: [idOf(ana), idOf(ana)] });
    expect(data(twice)).toMatchObject({ people: 1 });
  });

  it('have no group as a member, whatever the id', async () => {
    const inner = await buildGroup(admin);
    const outer = await create({ name: 'Outer', address: at(local()), members: [String(inner.id), inner.address] });
    expect(outer.status).toBe(422);
  });

  it('keep a deleted person for the day they are restored', async () => {
    const [ana, ben] = [await inTenant(), await inTenant()];
    const group = await buildGroup(admin, { members: [ana, ben] });
    await ana.user.update({ deletedAt: new Date() });
    const changed = await admin.call('PUT', `/group/update/${group.id}`, { members: [] });
    expect(data(changed)).toMatchObject({ people: 0 });
    await ana.user.update({ deletedAt: null });
    const { members } = data<GroupDetailDto>(await admin.call('GET', `/group/get/${group.id}`));
    expect(members.map(({ email }) => email)).toEqual([ana.user.email]);
  });

  it('take people in and let others go, and keep all that the caller does not name', async () => {
    const [ana, ben, cem, dua] = [await inTenant(), await inTenant(), await inTenant(), await inTenant()];
    const group = await buildGroup(admin, { members: [ana, ben] });
    const change = (body: object) => admin.call('PUT', `/group/update/${group.id}`, body);
    const shown = (answer: Answer) => data<GroupDetailDto>(answer).members.map(({ _id }) => _id);
    const both = { add_members: [idOf(cem), idOf(ana)], remove_members: [idOf(ben), idOf(dua)] };
    expect(shown(await change(both)).toSorted()).toEqual([idOf(ana), idOf(cem)].toSorted());
    await ana.user.update({ deletedAt: new Date() });
    expect(shown(await change({ add_members: [idOf(dua)] })).toSorted()).toEqual([idOf(cem), idOf(dua)].toSorted());
    await ana.user.update({ deletedAt: null });
    expect(shown(await change({ remove_members: [idOf(cem)] })).toSorted()).toEqual([idOf(ana), idOf(dua)].toSorted());
    for (const members of ['members', 'add_members']) {
      const { status, body } = await change({ [members]: [idOf(await inTenant(other))] });
      expect([status, body.errors]).toEqual([422, { [members]: 'Choose people of the company' }]);
    }
  });

  it('take a list that still has a person who was deleted meanwhile', async () => {
    const [ana, ben] = [await inTenant(), await inTenant()];
    const group = await buildGroup(admin, { members: [ana, ben] });
    await ana.user.update({ deletedAt: new Date() });
    const change = { name: 'Weavers', members: [idOf(ana), idOf(ben)], version: 1 };
    const changed = await admin.call('PUT', `/group/update/${group.id}`, change);
    expect(data(changed)).toMatchObject({ name: 'Weavers', people: 1, version: 2 });
    await ana.user.update({ deletedAt: null });
    expect(data(await admin.call('GET', `/group/get/${group.id}`))).toMatchObject({ people: 2 });
  });

  it('are limited in number', async () => {
    const tenant = await buildAdministrator(server);
    const companyId = String(tenant.company.id);
    const filler = (n: number) => ({ companyId, name: `Filler ${n}`, address: at(`f${n}`, tenant) });
    await Group.bulkCreate(Array.from({ length: 999 }, (_, n) => filler(n)));
    const add = () => tenant.call('POST', '/group/create', { name: 'Team', address: at(local(), tenant) });
    const last = data<GroupDetailDto>(await add());
    const text = 'The company has 1000 groups. Delete one first.';
    const refused = await add();
    expect([refused.status, refused.body]).toMatchObject([
      409,
      { code: 'too_many_groups', message: text, errors: { name: text } },
    ]);
    expect((await tenant.call('PUT', `/group/update/${last._id}`, { name: 'Renamed' })).status).toBe(200);
    expect((await tenant.call('DELETE', `/group/delete/${last._id}`)).status).toBe(200);
    expect((await add()).status).toBe(200);
  });

  it('of another company answer 404, and none is made in it', async () => {
    const theirs = await buildGroup(other);
    for (const [method, path] of [
      ['GET', 'get'],
      ['PUT', 'update'],
      ['DELETE', 'delete'],
    ] as const) {
      expect((await admin.call(method, `/group/${path}/${theirs.id}`, method === 'PUT' ? {} : undefined)).status).toBe(
        404,
      );
    }
    const form = { name: 'X', address: at(local(), other), company_id: String(other.company.id) };
    expect((await create(form)).status).toBe(404);
    expect((await create({ name: 'X', address: at(local(), other) })).status).toBe(422);
    expect((await create(form, await buildProvider(server))).status).toBe(200);
  });
});

describe('the catch-all of a domain', () => {
  const path = ({ domain }: { domain: Domain }) => `/domain/catch_all/${domain.id}`;
  const set = (address: string, tenant: { domain: Domain } = admin) => admin.call('PUT', path(tenant), { address });

  it('is a person or a group of the company, or none', async () => {
    const ana = await inTenant();
    const group = await buildGroup(admin);
    for (const address of [ana.user.email, group.address]) {
      expect(data(await set(address.toUpperCase()))).toMatchObject({ address });
      expect(data(await admin.call('GET', path(admin)))).toMatchObject({ address });
    }
    const inUse = await admin.call('DELETE', `/group/delete/${group.id}`);
    expect([inUse.status, inUse.body.code]).toEqual([409, 'is_catch_all']);
    expect(data(await set(group.address))).toMatchObject({ address: group.address });
    expect(data(await set(''))).toMatchObject({ address: null });
    expect((await admin.call('DELETE', `/group/delete/${group.id}`)).status).toBe(200);
    expect(await actionsOf('domain', String(admin.domain.id))).toEqual(Array(3).fill('domain:catch-all-set'));
  });

  it('keeps no person and no group of a domain that is deleted, and ends with them', async () => {
    const [ana, group] = [await inTenant(), await buildGroup(admin)];
    const targets = [
      [ana.user.email, `/user/delete/${ana.user.id}`],
      [group.address, `/group/delete/${group.id}`],
    ] as const;
    for (const [address, deletion] of targets) {
      const domain = await buildDomain(admin);
      expect((await set(address, { domain })).status).toBe(200);
      expect((await admin.call('DELETE', deletion)).body.code).toBe('is_catch_all');
      expect((await admin.call('DELETE', `/domain/delete/${domain.id}`)).status).toBe(200);
      expect((await admin.call('DELETE', deletion)).status).toBe(200);
      expect((await admin.call('PATCH', `/domain/restore/${domain.id}`)).status).toBe(200);
      expect(data(await admin.call('GET', path({ domain })))).toMatchObject({ address: null });
      const events = await AuditEvent.findAll({ where: { entity: 'domain', entityId: domain.id }, order: ['id'] });
      const sets = events.filter(({ action }) => action === 'domain:catch-all-set');
      expect(sets.map(({ details }) => details)).toEqual([
        { before: null, after: address, fields: ['address'], version: 2 },
        { before: address, after: null },
      ]);
    }
  });

  it('keeps the domain of its address, which could be restored without it', async () => {
    const [domain, deleted, before] = [await buildDomain(admin), await buildDomain(admin), await buildDomain(admin)];
    const { user } = await buildMailbox(server.app, { tenant: { ...admin, domain } });
    const remove = (of: Domain) => admin.call('DELETE', `/domain/delete/${of.id}`);
    // Its own catch-all holds no domain
    for (const of of [domain, before, deleted]) expect((await set(user.email, { domain: of })).status).toBe(200);
    expect((await remove(before)).status).toBe(200);
    const refused = await remove(domain);
    expect([refused.status, refused.body]).toMatchObject([
      409,
      {
        code: 'is_catch_all',
        message: `${user.email} is the catch-all of ${deleted.domainName}. Choose another one first.`,
      },
    ]);
    expect((await remove(deleted)).status).toBe(200);
    expect((await remove(domain)).status).toBe(200);
    expect((await set(user.email)).body.errors).toEqual({ address: 'Choose a person or a group of the company' });
    for (const of of [domain, before, deleted]) {
      expect((await admin.call('PATCH', `/domain/restore/${of.id}`)).status).toBe(200);
      const address = of === domain ? user.email : null;
      expect(data(await admin.call('GET', path({ domain: of })))).toMatchObject({ address });
    }
  });

  it('is not changed by a form that was opened before another change', async () => {
    const [ana, group, domain] = [await inTenant(), await buildGroup(admin), await buildDomain(admin)];
    const { version } = data<{ version: number }>(await admin.call('GET', path({ domain })));
    const save = (address: string) => admin.call('PUT', path({ domain }), { address, version });
    expect((await save(ana.user.email)).status).toBe(200);
    const refused = await save(group.address);
    expect([refused.status, refused.body]).toMatchObject([
      409,
      {
        code: 'changed_meanwhile',
        conflict: {
          fields: ['address'],
          current: { address: ana.user.email, target: { kind: 'person' }, version: version + 1 },
        },
      },
    ]);
    expect(data(await admin.call('GET', path({ domain })))).toMatchObject({ address: ana.user.email });
  });

  it('is no alias, no deleted person, and nothing of another company', async () => {
    const ana = await inTenant();
    const alias = await buildAlias(ana);
    const gone = await buildMailbox(server.app, { tenant: admin, user: { deletedAt: new Date() } });
    for (const address of [alias.address, gone.user.email, other.user.email, at('nobody'), 'a@remote.test']) {
      const { status, body } = await set(address);
      expect([address, status, body.errors]).toEqual([
        address,
        422,
        { address: 'Choose a person or a group of the company' },
      ]);
    }
    expect((await set(ana.user.email, other)).status).toBe(404);
    expect((await admin.call('GET', path(other))).status).toBe(404);
  });
});
