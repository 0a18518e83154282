import { randomBytes } from 'node:crypto';
import type { ClientDetailDto, ClientDto } from '@selvage/core/contracts/clients';
import { encodePassword } from '@selvage/core/contracts/encode-password';
import type { MailAccessDto } from '@selvage/core/contracts/mail-access';
import { builtInRole } from '@selvage/core/contracts/permissions';
import { AuditEvent } from '@selvage/core/models/audit-event';
import { Client } from '@selvage/core/models/client';
import { Company } from '@selvage/core/models/company';
import { Domain } from '@selvage/core/models/domain';
import { OutboxRow } from '@selvage/core/models/outbox-row';
import { Role } from '@selvage/core/models/role';
import { Session } from '@selvage/core/models/session';
import { User } from '@selvage/core/models/user';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildCompany, buildMailbox, buildRole, type Mailbox } from '../../../tests/support/factories.ts';
import { countQueries } from '../../../tests/support/queries-of.ts';
import { linkMailedTo, mailsTo, tokenOf as secretOf } from '../account/test-mails.ts';
import { startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;
let staff: Mailbox;
let token: string;
const password = 'nine&wool';

beforeAll(async () => {
  server = await startTestServer();
  const provider = await buildCompany(server.app, { isProvider: true });
  staff = await buildMailbox(server.app, { tenant: provider, roleNumber: builtInRole.superAdmin });
  token = await tokenOf(staff.user.email, staff.password);
});

async function tokenOf(email: string, secret: string): Promise<string> {
  return (await server.signIn(email, secret)).token;
}

function form(overrides: object = {}) {
  const name = randomBytes(5).toString('hex');
  return {
    company_name: `Mills ${name}`,
    fname: 'Meera',
    lname: 'Shah',
    phone_number: '9876543210',
    country: 'India',
    personal_email: `meera@${name}.example`,
    business_email: `meera@${name}.test`,
    password: encodePassword(password),
    ...overrides,
  };
}

async function ask(method: string, path: string, options: { token?: string; body?: unknown } = {}) {
  return await server.call(method, `/planbaseclient${path}`, { token, ...options });
}

async function add(overrides: object = {}): Promise<ClientDto> {
  const { status, body } = await ask('POST', '/create', { body: form(overrides) });
  expect([status, body.message]).toEqual([200, 'Client created successfully']);
  return body.data as ClientDto;
}

async function recordsOf(companyId: string): Promise<number[]> {
  const where = { companyId };
  const counts = [User.count({ where }), Role.count({ where }), Domain.count({ where }), Client.count({ where })];
  return await Promise.all(counts);
}

describe('a new client', () => {
  it('has its company, domain, roles and administrator at once', async () => {
    const client = await add();
    const companyId = client.company_id._id;
    expect(await recordsOf(companyId)).toEqual([1, 3, 1, 1]);
    const company = await Company.findByPk(companyId, { rejectOnEmpty: true });
    expect(company).toMatchObject({ email: client.business_email, createdBy: String(staff.user.id) });
    const user = await User.findOne({ where: { companyId }, rejectOnEmpty: true });
    expect(user).toMatchObject({
      email: client.business_email,
      fname: 'Meera',
      requiredData: true,
      passwordChangeRequired: true,
    });
    const role = await Role.findByPk(user.roleId, { rejectOnEmpty: true });
    expect([role.roleId, String(role.companyId)]).toEqual([builtInRole.admin, companyId]);
    const domain = await Domain.findOne({ where: { companyId }, rejectOnEmpty: true });
    const job = await OutboxRow.findOne({ where: { jobName: 'domain.generate-dkim' }, order: [['id', 'DESC']] });
    expect(job?.payload).toEqual({ domainId: String(domain.id), selector: 'default' });
    expect(await AuditEvent.count({ where: { action: 'client:created', entityId: client._id } })).toBe(1);
    expect(await tokenOf(client.business_email, password)).not.toBe('');
  });

  it('says in each answer whether its administrator has to choose another password', async () => {
    const client = await add();
    const states = async () => {
      const one = (await ask('GET', `/get/${client._id}`)).body.data as ClientDto;
      const search = encodeURIComponent(client.personal_email);
      const [first] = (await ask('GET', `/get/all/?search=${search}`)).body.data as ClientDto[];
      return [one, first].map((shown) => shown?.password_change_required);
    };
    expect([client.password_change_required, ...(await states())]).toEqual([true, true, true]);
    await User.update({ passwordChangeRequired: false }, { where: { email: client.business_email } });
    expect(await states()).toEqual([false, false]);
    expect(await add({ password_change_required: false })).toMatchObject({ password_change_required: false });
  });

  it('may begin switched off, as its company does', async () => {
    const client = await add({ active_status: false });
    expect(client).toMatchObject({ active_status: false, version: 1 });
    const company = await Company.findByPk(client.company_id._id);
    expect(company).toMatchObject({ activeStatus: false, version: 1 });
    expect(await tokenOf(client.business_email, password)).toBe('');
  });

  it('leaves nothing behind when its domain is taken, also by a deleted company', async () => {
    const first = await add();
    const domain = first.business_email.split('@')[1] ?? '';
    await ask('DELETE', `/delete/${first._id}`);
    const before = await Company.count();
    const again = await ask('POST', '/create', { body: form({ business_email: `other@${domain.toUpperCase()}` }) });
    expect([again.status, again.body['code']]).toEqual([409, 'domain_taken']);
    expect(await Company.count()).toBe(before);
    expect(await User.count({ where: { email: `other@${domain}` } })).toBe(0);
  });

  it.each([
    ['a Cyrillic letter', (name: string) => `\u0430${name}.test`],
    ['an accent', (name: string) => `\u00e1${name}.test`],
    ['a digit for a letter', (name: string) => `a${name.replace('l', '1')}.test`],
    ['two letters for one', (name: string) => `a${name.replace('m', 'rn')}.test`],
  ])('is asked about when its domain has %s where one of the host has another', async (_what, spell) => {
    const name = `mill${randomBytes(5).toString('hex')}`;
    await add({ business_email: `meera@a${name}.test` });
    const body = form({ business_email: `meera@${spell(name)}` });
    const asked = await ask('POST', '/create', { body });
    expect([asked.status, asked.body['code'], Object.keys(asked.body.errors ?? {})]).toEqual([
      409,
      'similar_domain',
      ['business_email'],
    ]);
    expect(asked.body.message).toContain(`a${name}.test`);
    expect((await ask('POST', '/create', { body: { ...body, similar_domain_ok: true } })).status).toBe(200);
  });

  it('has no domain that many companies share, and not the name of the host', async () => {
    for (const domain of ['co.uk', server.app.config.hostname]) {
      const body = form({ business_email: `meera@${domain}` });
      const refused = await ask('POST', '/create', { body });
      expect([refused.status, refused.body.errors]).toEqual([
        422,
        { business_email: 'This domain cannot belong to a company' },
      ]);
      expect(await Company.count({ where: { name: body.company_name } })).toBe(0);
    }
  });

  it('is made once when it is asked for twice at the same time', async () => {
    const body = form();
    const answers = await Promise.all([1, 2, 3].map(() => ask('POST', '/create', { body })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    expect(await Company.count({ where: { name: body.company_name } })).toBe(1);
  });

  it.each([
    ['company_name', ' ', 'Company name is required'],
    ['fname', '', 'First name is required'],
    ['phone_number', '12', 'Phone number must be exactly 10 digits'],
    ['phone_number', 'abc', 'Phone number must be a number'],
    ['personal_email', '', 'Personal email is required'],
    ['personal_email', 'x', 'Invalid email'],
    ['business_email', '', 'Business email is required'],
    ['business_email', 'a b@x.test', 'Invalid email'],
    ['business_email', '"a@b"@x..test', 'Invalid email'],
    ['password', encodePassword('short'), 'Password must be at least 8 characters'],
    ['password', encodePassword('password1'), 'This password is on lists of common passwords. Choose another one'],
  ])('is refused with %s %j', async (field, value, message) => {
    const { status, body } = await ask('POST', '/create', { body: form({ [field]: value }) });
    expect([status, body.errors?.[field]]).toEqual([422, message]);
  });

  it('may have a domain with other letters, which is kept in its ASCII form', async () => {
    const label = randomBytes(4).toString('hex');
    const client = await add({ business_email: `meera@mühle-${label}.test` });
    expect(client.business_email).toBe(`meera@xn--mhle-${label}-${client.business_email.split('-').at(-1)}`);
  });

  it('is added by people of the provider alone, whatever flags others hold', async () => {
    const chief = await buildMailbox(server.app, { roleNumber: builtInRole.superAdmin });
    const theirs = await tokenOf(chief.user.email, chief.password);
    expect((await ask('POST', '/create', { token: theirs, body: form() })).status).toBe(403);
    expect((await ask('GET', '/get/all/', { token: theirs })).body.data).toEqual([]);
  });
});

describe('clients', () => {
  it('are listed and searched by name, email and company, with as many queries for many as for one', async () => {
    const mark = randomBytes(5).toString('hex');
    for (const fname of ['Asha', 'Bina', 'Chitra']) await add({ fname, company_name: `Mark ${mark} ${fname}` });
    const names = async (query: string) =>
      ((await ask('GET', `/get/all/?${query}`)).body.data as ClientDto[]).map(({ fname }) => fname);
    expect(await names(`search=${mark}`)).toEqual(['Asha', 'Bina', 'Chitra']);
    expect(await names(`search=${mark}%20bina`)).toEqual(['Bina']);
    expect(await names(`search=${mark}&sort=-fname&limit=1`)).toEqual(['Chitra']);
    const count = (limit: number) => countQueries(server.app, () => ask('GET', `/get/all/?limit=${limit}`));
    expect(await count(20)).toBe(await count(1));
  });

  it('show their company and real counts', async () => {
    const { _id, company_id } = await add();
    const { body } = await ask('GET', `/get/${_id}`);
    const detail = body.data as ClientDetailDto;
    expect(detail.counts).toEqual({ users: 1, roles: 3, domains: 1, companies: 1 });
    expect(detail.company).toMatchObject({ _id: company_id._id, name: company_id.name });
  });

  it('are changed with the name of their company, and not from an older version', async () => {
    const { _id, company_id } = await add();
    const body = { fname: 'Mira', company_name: 'Mira & Sons', lname: '', version: 1 };
    const changed = await ask('PUT', `/update/${_id}`, { body });
    expect(changed.body.data).toMatchObject({
      fname: 'Mira',
      lname: null,
      company_id: { name: 'Mira & Sons' },
      version: 2,
    });
    expect(await Company.findByPk(company_id._id)).toMatchObject({ name: 'Mira & Sons', version: 2 });
    const late = await ask('PUT', `/update/${_id}`, { body: { fname: 'Other', version: 1 } });
    expect([late.status, late.body['code']]).toEqual([409, 'changed_meanwhile']);
  });

  it('keep their business email, which is an address of the host', async () => {
    const { _id, business_email } = await add();
    const change = (body: object) => ask('PUT', `/update/${_id}`, { body });
    const kept = { business_email: business_email.toUpperCase(), lname: 'Rao' };
    expect((await change(kept)).body.data).toMatchObject({ business_email, lname: 'Rao' });
    const refused = await change({ business_email: `x${business_email}`, lname: 'Shah' });
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      { business_email: 'The business email is an address of this host and cannot be changed' },
    ]);
    expect((await ask('GET', `/get/${_id}`)).body.data).toMatchObject({ business_email, lname: 'Rao' });
  });

  it('have an administrator who chooses a password at the next login when the form says so', async () => {
    const client = await add({ password_change_required: false });
    const path = `/update/${client._id}`;
    const required = await ask('PUT', path, { body: { password_change_required: true } });
    expect(required.body.data).toMatchObject({ password_change_required: true, version: 2 });
    expect((await mailsTo(server.app, client.business_email)).map(({ subject }) => subject)).toContain(
      'Please change your password',
    );
    const lifted = await ask('PUT', path, { body: { password_change_required: false } });
    expect(lifted.body.data).toMatchObject({ password_change_required: false, version: 3 });
    await User.update({ passwordChangeRequired: true }, { where: { email: client.business_email } });
    const other = await ask('PUT', path, { body: { fname: 'Mira' } });
    expect(other.body.data).toMatchObject({ fname: 'Mira', password_change_required: true });
  });

  it('have an administrator whom no person that may do less asks for another password', async () => {
    const client = await add({ password_change_required: false });
    const role = await buildRole(staff, { permissions: [{ model: 'clients', view: true, edit: true }] });
    const clerk = await buildMailbox(server.app, { tenant: staff, user: { roleId: String(role.id) } });
    const by = { token: await tokenOf(clerk.user.email, clerk.password) };
    const save = async (isRequired: boolean) =>
      await ask('PUT', `/update/${client._id}`, { ...by, body: { password_change_required: isRequired } });
    const refused = await save(true);
    expect([refused.status, refused.body['code']]).toEqual([403, 'outranked']);
    expect((await save(false)).status).toBe(200);
  });

  it('refuse the second of two forms that rename the company', async () => {
    const { _id, company_id } = await add();
    const rename = (company_name: string) => ask('PUT', `/update/${_id}`, { body: { company_name, version: 1 } });
    expect((await rename('Mira & Sons')).body.data).toMatchObject({ version: 2 });
    const late = await rename('Mira Brothers');
    expect(late.status).toBe(409);
    expect(late.body['conflict']).toMatchObject({
      fields: ['company_name'],
      current: { company_id: { name: 'Mira & Sons' } },
    });
    expect(await Company.findByPk(company_id._id)).toMatchObject({ name: 'Mira & Sons', version: 2 });
  });

  it('stay switched off when a form is saved that was opened before, of the client or of its company', async () => {
    const { _id, company_id } = await add();
    const change = {
      client: (body: object) => ask('PUT', `/update/${_id}`, { body }),
      company: (body: object) => server.call('PUT', `/company/update/${company_id._id}`, { token, body }),
    };
    const versions = async () => {
      const [client, company] = await Promise.all([Client.findByPk(_id), Company.findByPk(company_id._id)]);
      return { client: client?.version, company: company?.version };
    };
    const both = [
      ['company', 'client', { lname: 'Rao' }],
      ['client', 'company', { city: 'Pune' }],
    ] as const;
    for (const [by, older, edit] of both) {
      const opened = (await versions())[older];
      expect((await change[by]({ active_status: false })).status).toBe(200);
      const late = await change[older]({ ...edit, active_status: true, version: opened });
      expect([late.status, late.body['code']]).toEqual([409, 'changed_meanwhile']);
      expect(late.body['conflict']).toMatchObject({ by: 'Ana Test', fields: ['active_status'] });
      const states = [await Client.findByPk(_id), await Company.findByPk(company_id._id)];
      expect(states.map((record) => record?.activeStatus)).toEqual([false, false]);
      expect((await change[by]({ active_status: true })).status).toBe(200);
    }
  });

  it('are deleted, restored and switched off with their company', async () => {
    const { _id, company_id, business_email } = await add({ password_change_required: false });
    const states = async () => {
      const [client, company] = await Promise.all([Client.findByPk(_id), Company.findByPk(company_id._id)]);
      return [client, company].map((record) => [Boolean(record?.deletedAt), record?.activeStatus]);
    };
    const session = await tokenOf(business_email, password);
    expect((await ask('DELETE', `/delete/${_id}`)).body.message).toBe('Client deleted (soft) successfully');
    expect(await states()).toEqual([
      [true, true],
      [true, true],
    ]);
    expect((await server.call('GET', '/user/info', { token: session })).status).toBe(401);
    expect((await ask('POST', `/restore/${_id}`)).body.data).toMatchObject({ deletedAt: null });
    expect(await states()).toEqual([
      [false, true],
      [false, true],
    ]);
    await ask('PUT', `/update/${_id}`, { body: { active_status: false } });
    expect(await states()).toEqual([
      [false, false],
      [false, false],
    ]);
    expect(await tokenOf(business_email, password)).toBe('');
  });

  it('are gone for good only after they were deleted', async () => {
    const { _id, company_id, business_email } = await add();
    expect((await ask('DELETE', `/permanent-delete/${_id}`)).body['code']).toBe('not_deleted');
    await ask('DELETE', `/delete/${_id}`);
    expect((await ask('DELETE', `/permanent-delete/${_id}`)).status).toBe(200);
    expect((await ask('GET', `/get/${_id}`)).status).toBe(404);
    const { body } = await ask('GET', '/get/all/?deletedAt=true&limit=100');
    expect((body.data as ClientDto[]).map((client) => client._id)).not.toContain(_id);
    // The event alone still says which client it was
    const erased = await AuditEvent.findOne({ where: { action: 'client:erased', entityId: _id } });
    expect(erased?.details).toEqual({ company_name: company_id.name, business_email });
  });

  it('of the host itself stays as it is', async () => {
    const where = { companyId: String(staff.company.id), fname: 'Host', personalEmail: 'a@x.test' };
    const { id } = await Client.create({ ...where, businessEmail: staff.user.email, isDefault: true });
    const calls = [
      await ask('PUT', `/update/${id}`, { body: { personal_email: 'eve@evil.test' } }),
      await ask('DELETE', `/delete/${id}`),
      await ask('POST', `/send-credentials/${id}`, { body: { email: 'a@x.test' } }),
    ];
    expect(calls.map(({ status, body }) => [status, body['code']])).toEqual(
      calls.map(() => [409, 'provider_protected']),
    );
  });
});

/** Sets a password with a mailed link. */
async function setWith(link: string) {
  const secret = encodePassword('a new long pass');
  const body = { token: secretOf(link), new_password: secret, confirm_password: secret };
  return await server.call('POST', '/user/set_password', { body });
}

describe('credentials', () => {
  it('are mailed only to a caller who has lately proved who they are', async () => {
    const client = await add();
    const earlier = new Date(Date.now() - 16 * 60_000);
    const later = await tokenOf(staff.user.email, staff.password);
    const latest = await Session.findOne({ where: { userId: String(staff.user.id) }, order: [['id', 'DESC']] });
    await Session.update({ createdAt: earlier }, { where: { id: latest?.id ?? '' }, silent: true });
    const options = { token: later, body: { email: client.personal_email } };
    const { status, body } = await ask('POST', `/send-credentials/${client._id}`, options);
    expect([status, body['code']]).toEqual([403, 'confirm_first']);
    expect(await mailsTo(server.app, client.personal_email)).toEqual([]);
  });

  it('are a link to set a password, mailed to an address of the client', async () => {
    const client = await add();
    const answer = await ask('POST', `/send-credentials/${client._id}`, { body: { email: client.personal_email } });
    expect([answer.status, answer.body.message]).toEqual([200, 'Credentials sent successfully!']);
    const [mail] = await mailsTo(server.app, client.personal_email);
    expect(mail?.text).toContain(client.business_email);
    expect(mail?.text).not.toContain(password);
    const link = await linkMailedTo(server.app, client.personal_email, /Your mail account/);
    expect((await setWith(link)).status).toBe(200);
    expect(await tokenOf(client.business_email, 'a new long pass')).not.toBe('');
  });

  it('leave the account no recovery address but the one that they were mailed to', async () => {
    const client = await add();
    const other = `eve@${randomBytes(5).toString('hex')}.example`;
    const where = { email: client.business_email };
    await User.update({ recoveryEmail: other, confirmedRecoveryEmail: other }, { where });
    await ask('POST', `/send-credentials/${client._id}`, { body: { email: client.personal_email } });
    const link = await linkMailedTo(server.app, client.personal_email, /Your mail account/);
    expect((await setWith(link)).status).toBe(200);
    const user = await User.findOne({ where, rejectOnEmpty: true });
    expect([user.recoveryEmail, user.confirmedRecoveryEmail]).toEqual([null, null]);
    expect((await mailsTo(server.app, other)).map(({ subject }) => subject)).toContain(
      'Your recovery email was changed',
    );
    const [, told] = await mailsTo(server.app, client.business_email);
    expect(told?.text).toContain(`with a link that was mailed to ${client.personal_email}`);
  });

  it('are named to the administrator as a way in, with the password that was set with them', async () => {
    const client = await add();
    const where = { email: client.business_email };
    const own = `own@${randomBytes(5).toString('hex')}.example`;
    const free = { passwordChangeRequired: false, requiredData: false };
    await User.update({ ...free, recoveryEmail: own, confirmedRecoveryEmail: own }, { where });
    const actsWith = async (secret: string) => {
      const token = await tokenOf(client.business_email, secret);
      const { administrators } = (await server.call('GET', '/user/mail_access', { token })).body.data as MailAccessDto;
      return administrators.map(({ action, name }) => [action, name]);
    };
    const send = async (email: string) => {
      await ask('PUT', `/update/${client._id}`, { body: { personal_email: email } });
      expect((await ask('POST', `/send-credentials/${client._id}`, { body: { email } })).status).toBe(200);
      expect((await setWith(await linkMailedTo(server.app, email, /Your mail account/))).status).toBe(200);
    };
    // To the address that the administrator gets back in with by themselves
    await send(own);
    const name = `${staff.user.fname} ${staff.user.lname}`.trim();
    const mailed = ['password:link-mailed', name];
    expect(await actsWith('a new long pass')).toEqual([mailed]);
    await send(`eve@${randomBytes(5).toString('hex')}.example`);
    expect(await actsWith('a new long pass')).toEqual([['password:set-by-link', name], mailed, mailed]);
    const user = await User.findOne({ where, rejectOnEmpty: true });
    const events = await AuditEvent.findAll({
      where: { entity: 'user', entityId: user.id, action: 'password:set-by-link' },
      order: ['id'],
    });
    expect(events.map(({ actorId }) => actorId)).toEqual([user.id, null]);
  });

  it('stop working when the address that they were mailed to is corrected', async () => {
    const client = await add();
    const credentials = async (email: string) => {
      const sent = await ask('POST', `/send-credentials/${client._id}`, { body: { email } });
      expect(sent.status).toBe(200);
      return await linkMailedTo(server.app, email, /Your mail account/);
    };
    const correct = (body: object) => ask('PUT', `/update/${client._id}`, { body });
    const kept = await credentials(client.personal_email);
    expect((await correct({ fname: 'Mira', personal_email: client.personal_email })).status).toBe(200);
    expect((await server.call('POST', '/user/set_password/check', { body: { token: secretOf(kept) } })).status).toBe(
      200,
    );
    const right = `right-${client.personal_email}`;
    expect((await correct({ personal_email: right })).status).toBe(200);
    const refused = await setWith(kept);
    expect([refused.status, refused.body['code']]).toEqual([400, 'link_invalid']);
    expect((await setWith(await credentials(right))).status).toBe(200);
  });

  it('go nowhere else, and not to a client that is deleted', async () => {
    const client = await add();
    const send = (email: string) => ask('POST', `/send-credentials/${client._id}`, { body: { email } });
    expect((await send('eve@evil.test')).status).toBe(422);
    await ask('DELETE', `/delete/${client._id}`);
    expect((await send(client.personal_email)).body['code']).toBe('account_not_usable');
  });

  it('are not sent by a person that may do less than the administrator', async () => {
    const client = await add();
    const role = await buildRole(staff, { permissions: [{ model: 'clients', view: true, create: true, edit: true }] });
    const clerk = await buildMailbox(server.app, { tenant: staff, user: { roleId: String(role.id) } });
    const by = { token: await tokenOf(clerk.user.email, clerk.password) };
    const email = `eve@${randomBytes(5).toString('hex')}.example`;
    const changed = await ask('PUT', `/update/${client._id}`, { ...by, body: { personal_email: email } });
    expect(changed.status).toBe(200);
    const answer = await ask('POST', `/send-credentials/${client._id}`, { ...by, body: { email } });
    expect([answer.status, answer.body['code']]).toEqual([403, 'outranked']);
    expect(await mailsTo(server.app, email)).toEqual([]);
  });

  it('open no account of a person who has the address and is no administrator', async () => {
    const client = await add();
    const where = { email: client.business_email };
    const user = await User.findOne({ where, rejectOnEmpty: true });
    const { companyId } = user;
    const role = await Role.findOne({ where: { companyId, roleId: builtInRole.user }, rejectOnEmpty: true });
    await user.update({ roleId: String(role.id) });
    const answer = await ask('POST', `/send-credentials/${client._id}`, { body: { email: client.personal_email } });
    expect([answer.status, answer.body['code'], answer.body.message]).toEqual([
      409,
      'account_not_usable',
      `The person with the address ${client.business_email} is not an administrator.`,
    ]);
    expect(await mailsTo(server.app, client.personal_email)).toEqual([]);
  });

  it('open no account of another company that has the address by now', async () => {
    const client = await add();
    const elsewhere = await buildCompany(server.app);
    const companyId = String(elsewhere.company.id);
    const roleId = String(elsewhere.roles.get(builtInRole.admin)?.id);
    await User.update({ companyId, roleId }, { where: { email: client.business_email } });
    const answer = await ask('POST', `/send-credentials/${client._id}`, { body: { email: client.personal_email } });
    expect([answer.status, answer.body['code']]).toEqual([409, 'account_not_usable']);
  });
});
