import { encodePassword } from '@selvage/core/contracts/fields';
import { createUser, type UserDetailDto } from '@selvage/core/contracts/users';
import { systemContext } from '@selvage/core/context/context';
import { resolveRecipient } from '@selvage/core/directory/resolve-recipient';
import { AuditEvent } from '@selvage/core/models/audit-event';
import { User } from '@selvage/core/models/user';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildCompany, buildMailbox } from '../../../tests/support/factories.ts';
import { type Answer, startTestServer, type TestServer } from '../test-server.ts';
import {
  type Administrator,
  buildAdministrator,
  buildDomain,
  buildProvider,
  buildRole,
  deleteCompany,
  newPerson,
} from '../test-people.ts';

let server: TestServer;
let admin: Administrator;
let provider: Administrator;

beforeAll(async () => {
  server = await startTestServer();
  admin = await buildAdministrator(server);
  provider = await buildProvider(server);
});

const add = (caller: Administrator, body: object) => caller.call('POST', '/user/create', body);
const fieldsOf = (answer: Answer) => [answer.status, Object.keys(answer.body.errors ?? {})];

describe('a new person', () => {
  it('gets a mailbox, takes mail at once, and chooses a password of their own at the first login', async () => {
    const body = newPerson(admin, { local: 'Neha.Rao-2' });
    const answer = await add(admin, body);
    expect(answer.status).toBe(200);
    const person = answer.body.data as UserDetailDto;
    expect(person).toMatchObject({
      fname: 'Neha',
      lname: 'Rao',
      email: `neha.rao-2@${admin.domain.domainName}`,
      phone_number: '9876543210',
      role_id: { role_id: 2 },
      active_status: true,
      loginAllowed: true,
      version: 1,
    });
    // A client that was made from the API document reads no answer that lacks a field
    expect(createUser.answer.safeParse(person).error).toBeUndefined();
    expect(await resolveRecipient(systemContext(server.app), person.email)).toMatchObject({ userId: person._id });
    const { token } = await server.signIn(person.email, 'a first pass phrase');
    expect((await server.call('GET', '/signature', { token })).status).toBe(404);
    const refused = await server.call('GET', '/mailsetting/signature/get/all', { token });
    expect(refused.body['code']).toBe('password_change_required');
    const [event] = await AuditEvent.findAll({ where: { action: 'user:created', entityId: person._id } });
    expect(event).toMatchObject({ actorId: admin.user.id, companyId: admin.company.id, details: { role: 'User' } });
  });

  it('needs names, an address and a password that are good, each with its reason', async () => {
    const reasonFor = async (field: string, overrides: object) => {
      const answer = await add(admin, newPerson(admin, overrides as Record<string, unknown>));
      expect(fieldsOf(answer)).toEqual([422, [field]]);
      return answer.body.errors?.[field];
    };
    expect(await reasonFor('fname', { fname: '' })).toBe('First name is required');
    expect(await reasonFor('fname', { fname: 'R2 D2' })).toBe('First name should only contain letters and spaces');
    expect(await reasonFor('lname', { lname: 'x_y' })).toBe('Last name should only contain letters and spaces');
    expect(await reasonFor('phone_number', { phone_number: '12345' })).toBe('Phone number must be exactly 10 digits');
    expect(await reasonFor('role_id', { role_id: undefined })).toBe('Role is required');
    expect(await reasonFor('domain_id', { domain_id: '' })).toBe('Domain is required');
    expect(await reasonFor('password', { password: encodePassword('short 7') })).toMatch(/at least 8/);
    expect(await reasonFor('password', { password: '' })).toBe('Password is required');
    expect(await reasonFor('password', { password: encodePassword('password1') })).toMatch(/common/);
    expect(await reasonFor('recovery_email', { recovery_email: 'no address' })).toBe('Invalid email format');
    for (const local of ['a b', 'ann+tag', '.ann', 'ann.', '...', 'an..n', '-ann', 'ann_', 'ünal', 'x'.repeat(65)]) {
      await reasonFor('email', { local });
    }
    expect(await User.count({ where: { companyId: admin.company.id, fname: 'Neha', lname: '' } })).toBe(0);
  });

  it('takes names in any script, and no phone, last name or recovery address', async () => {
    const body = newPerson(admin, {
      fname: 'नेहा',
      lname: undefined,
      phone_number: undefined,
      recovery_email: undefined,
    });
    expect((await add(admin, body)).body.data).toMatchObject({ fname: 'नेहा', lname: '', phone_number: null });
  });

  it('has an address in the chosen domain, and a role and a domain of the chosen company', async () => {
    const other = await buildCompany(server.app);
    const otherRole = String(other.roles.get(2)?.id);
    const elsewhere = await buildDomain(admin);
    const cases: [string, Administrator, object][] = [
      ['email', admin, { email: `ann@${elsewhere.domainName}` }],
      ['email', admin, { email: `ann@sub.${admin.domain.domainName}` }],
      ['role_id', admin, { role_id: otherRole }],
      ['role_id', provider, { role_id: otherRole }],
      ['domain_id', admin, { domain_id: String(other.domain.id), email: `ann@${other.domain.domainName}` }],
      ['domain_id', provider, { domain_id: String(other.domain.id), email: `ann@${other.domain.domainName}` }],
      ['companyId', admin, { companyId: String(other.company.id) }],
      ['companyId', admin, { companyId: '9223372036854775807' }],
    ];
    for (const [field, caller, overrides] of cases) {
      expect(fieldsOf(await add(caller, newPerson(admin, overrides as Record<string, unknown>)))).toEqual([
        422,
        [field],
      ]);
    }
    expect((await add(provider, newPerson(other))).status).toBe(200);
  });

  it('joins nothing that is deleted or switched off', async () => {
    const deletedAt = new Date();
    const gone = await buildRole(admin, [], { deletedAt });
    const off = await buildRole(admin, [], { activeStatus: false });
    for (const role of [gone, off]) {
      expect(fieldsOf(await add(admin, newPerson(admin, { role_id: String(role.id) })))).toEqual([422, ['role_id']]);
    }
    const domain = await buildDomain(admin, { deletedAt });
    const inDomain = { domain_id: String(domain.id), email: `ann@${domain.domainName}` };
    expect(fieldsOf(await add(admin, newPerson(admin, inDomain)))).toEqual([422, ['domain_id']]);
    const company = await buildCompany(server.app);
    await deleteCompany(company);
    expect(fieldsOf(await add(provider, newPerson(company)))).toEqual([422, ['companyId']]);
  });

  it('gets no role with a flag that the caller does not hold, and only a Super Admin makes another', async () => {
    const planner = await buildRole(admin, [['clients', 'view']]);
    for (const role of [planner, admin.roles.get(0)]) {
      const answer = await add(admin, newPerson(admin, { role_id: String(role?.id) }));
      expect([answer.status, answer.body['code']]).toEqual([403, 'not_yours_to_grant']);
    }
    // All flags, but not the Super Admin's number
    const tenant = await buildCompany(server.app);
    const all = ['view', 'create', 'edit', 'delete'] as const;
    const { modelNames } = await import('@selvage/core/contracts/permissions');
    const twin = await buildRole(
      tenant,
      modelNames.map((model) => [model, ...all]),
    );
    const caller = await buildAdministrator(server, { tenant, user: { roleId: String(twin.id) } });
    const answer = await add(caller, newPerson(tenant, { role_id: String(tenant.roles.get(0)?.id) }));
    expect([answer.status, answer.body['code']]).toEqual([403, 'not_yours_to_grant']);
    expect((await add(caller, newPerson(tenant, { role_id: String(tenant.roles.get(1)?.id) }))).status).toBe(200);
  });

  it('has an address that no other person of the host has, deleted ones included, also of two at once', async () => {
    const { user } = await buildMailbox(server.app, { tenant: admin, user: { deletedAt: new Date() } });
    const taken = await add(admin, newPerson(admin, { email: user.email.toUpperCase() }));
    expect([taken.status, taken.body['code'], Object.keys(taken.body.errors ?? {})]).toEqual([
      409,
      'address_taken',
      ['email'],
    ]);
    const body = newPerson(admin);
    const answers = await Promise.all(Array.from({ length: 5 }, () => add(admin, body)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409]);
    expect(await User.count({ where: { email: body.email } })).toBe(1);
  });

  it('has a recovery address that counts once its owner has confirmed it, and is another mailbox', async () => {
    const { user: other } = await buildMailbox(server.app, { tenant: admin });
    const { body } = await add(admin, newPerson(admin, { recovery_email: other.email.toUpperCase() }));
    expect(body.data).toMatchObject({ recovery_email: other.email, recovery_email_confirmed: false });
    const own = newPerson(admin, { local: 'self' });
    const refused = await add(admin, { ...own, recovery_email: `self+spare@${admin.domain.domainName}` });
    expect(fieldsOf(refused)).toEqual([422, ['recovery_email']]);
    expect(await User.count({ where: { email: own.email } })).toBe(0);
  });
});
