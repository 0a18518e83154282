import type { CurrentUserDto } from '@selvage/core/contracts/auth';
import type { SetupGuideDto } from '@selvage/core/contracts/setup-guide';
import type { UserChoices } from '@selvage/core/contracts/users';
import { builtInRole } from '@selvage/core/contracts/permissions';
import { AuditEvent } from '@selvage/core/models/audit-event';
import { User } from '@selvage/core/models/user';
import { UserPermission } from '@selvage/core/models/user-permission';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, startTestServer, type TestServer } from '../test-server.ts';
import { type Administrator, buildAdministrator, buildDomain, newPerson } from '../test-people.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

/** A person that the web app leads to the setup of their company. */
const newcomer = (roleNumber: number = builtInRole.admin) =>
  buildAdministrator(server, { roleNumber, user: { requiredData: true } });
const finish = (caller: Administrator, user: { id: string } = caller.user, value: unknown = false) =>
  caller.call('PUT', `/user/update/${user.id}`, { required_data: value });
const codeOf = ({ status, body }: Answer) => [status, body['code']];
const isAsked = async ({ user }: Administrator) => (await User.findByPk(user.id))?.requiredData;

describe('the end of the setup', () => {
  it('is told by the person themselves, with no other right than that of their profile', async () => {
    const person = await newcomer(builtInRole.user);
    const before = await User.findByPk(person.user.id, { raw: true });
    const answer = await finish(person);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({ required_data: false, email: person.user.email });
    const { body } = await person.call('GET', '/user/info');
    expect((body.data as CurrentUserDto).required_data).toBe(false);
    const after = await User.findByPk(person.user.id, { raw: true });
    expect({ ...after, updatedAt: null }).toEqual({
      ...before,
      requiredData: after?.requiredData,
      version: 2,
      updatedAt: null,
    });
    const event = await AuditEvent.findOne({ where: { actorId: person.user.id, action: 'profile:updated' } });
    expect(event?.details).toMatchObject({ fields: ['required_data'] });
  });

  it('is the same when two windows tell it, and as a form of the browser sends it', async () => {
    const person = await newcomer();
    const form = new FormData();
    form.append('required_data', 'false');
    const answers = await Promise.all([finish(person), person.call('PUT', `/user/update/${person.user.id}`, form)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await isAsked(person)).toBe(false);
  });

  it.each([true, 'true', '', null, 0, 'no', {}])('is never taken back, by %j', async (value) => {
    const person = await buildAdministrator(server);
    const answer = await finish(person, person.user, value);
    expect([answer.status, answer.body.errors]).toEqual([422, { required_data: 'Can only be set to false' }]);
    expect(await isAsked(person)).toBe(false);
  });

  it('is no matter of another person, whatever they may do', async () => {
    const person = await newcomer();
    const chief = await buildAdministrator(server, { tenant: person, roleNumber: builtInRole.superAdmin });
    const refused = await finish(chief, person.user);
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      { required_data: 'People finish the setup themselves' },
    ]);
    const colleague = await buildAdministrator(server, { tenant: person, roleNumber: builtInRole.user });
    expect(codeOf(await finish(colleague, person.user))).toEqual([403, 'forbidden']);
    expect(codeOf(await finish(await newcomer(), person.user))).toEqual([404, 'user_not_found']);
    expect(await isAsked(person)).toBe(true);
  });

  it('needs no right to change the own profile, which nothing else can do without', async () => {
    const person = await newcomer();
    const entry = { companyId: String(person.company.id), userId: String(person.user.id), model: 'profile' };
    await UserPermission.create({ ...entry, canView: true });
    const own = `/user/update/${person.user.id}`;
    const picture = new FormData();
    picture.append('required_data', 'false');
    picture.append('avatar', new Blob(['no picture']), 'me.png');
    for (const body of [{ fname: 'Eve' }, { required_data: false, fname: 'Eve' }, {}, picture]) {
      expect(codeOf(await person.call('PUT', own, body))).toEqual([403, 'forbidden']);
    }
    expect(await isAsked(person)).toBe(true);
    expect((await finish(person)).body.data).toMatchObject({ required_data: false, fname: person.user.fname });
  });
});

describe('the calls of the setup', () => {
  const details = { industry: 'Cotton', phone: '9876543210', address: '1 Mill Lane', pin_code: '395003' };

  it('let an Admin fill in their own company, and leave it in use', async () => {
    const admin = await newcomer();
    const own = `/company/update/${admin.company.id}`;
    const { version } = (await admin.call('GET', `/company/get/${admin.company.id}`)).body.data as { version: number };
    expect((await admin.call('PUT', own, { ...details, version })).body.data).toMatchObject(details);
    expect(codeOf(await admin.call('PUT', own, { city: 'Surat', version }))).toEqual([409, 'changed_meanwhile']);
    expect(codeOf(await admin.call('PUT', own, { active_status: false }))).toEqual([409, 'own_company']);
    const other = await newcomer();
    expect(codeOf(await admin.call('PUT', `/company/update/${other.company.id}`, details))).toEqual([
      404,
      'company_not_found',
    ]);
  });

  it('let an Admin say until when their own domain is registered, and read what its DNS lacks', async () => {
    const admin = await newcomer();
    const id = String(admin.domain.id);
    const day = { expiration_date: '2030-12-31' };
    expect((await admin.call('PUT', `/domain/update/${id}`, day)).body.data).toMatchObject(day);
    const wrong = await admin.call('PUT', `/domain/update/${id}`, { expiration_date: '31/12/2030' });
    expect([wrong.status, wrong.body.errors]).toEqual([422, { expiration_date: 'Invalid date' }]);
    const guide = (await admin.call('GET', `/domain/getnewclient/dnssetup?domain_id=${id}`)).body.data as SetupGuideDto;
    expect(guide).toMatchObject({ domain_id: id, done: false });
    const other = await newcomer();
    expect(codeOf(await admin.call('PUT', `/domain/update/${other.domain.id}`, day))).toEqual([
      404,
      'domain_not_found',
    ]);
    const gone = await buildDomain(admin, { deletedAt: new Date() });
    expect(codeOf(await admin.call('PUT', `/domain/update/${gone.id}`, day))).toEqual([409, 'deleted']);
  });

  it('let an Admin of a company without a domain add one', async () => {
    const admin = await newcomer();
    await admin.domain.update({ deletedAt: new Date() });
    expect(codeOf(await admin.call('GET', '/domain/getnewclient/dnssetup'))).toEqual([404, 'domain_not_found']);
    const domain_name = `new-${admin.domain.domainName}`;
    const added = await admin.call('POST', '/domain/create', { domain_name, expiration_date: '2030-12-31' });
    expect(added.body.data).toMatchObject({ domain_name, verified: false, expiration_date: '2030-12-31' });
  });

  it('let an Admin add the first employee, who can do no more than they', async () => {
    const admin = await newcomer();
    const choices = (await admin.call('GET', '/user/form/choices')).body.data as UserChoices;
    expect(choices.seats.used).toBe(1);
    expect(choices.roles.map(({ role_name, assignable }) => [role_name, assignable])).toEqual([
      ['Super Admin', false],
      ['Admin', true],
      ['User', true],
    ]);
    const chief = newPerson(admin, { role_id: String(admin.roles.get(builtInRole.superAdmin)?.id) });
    expect(codeOf(await admin.call('POST', '/user/create', chief))).toEqual([403, 'not_yours_to_grant']);
    expect((await admin.call('POST', '/user/create', newPerson(admin))).status).toBe(200);
    const after = (await admin.call('GET', '/user/form/choices')).body.data as UserChoices;
    expect(after.seats.used).toBe(2);
  });

  it('are refused to a person whose role has nothing to do with them', async () => {
    const user = await newcomer(builtInRole.user);
    const calls = [
      await user.call('PUT', `/company/update/${user.company.id}`, details),
      await user.call('PUT', `/domain/update/${user.domain.id}`, { expiration_date: '2030-12-31' }),
      await user.call('POST', '/user/create', newPerson(user)),
    ];
    expect(calls.map(codeOf)).toEqual(calls.map(() => [403, 'forbidden']));
  });
});
