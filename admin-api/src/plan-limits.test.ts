import { randomBytes } from 'node:crypto';
import type { ClientDetailDto, ClientDto } from '@selvage/core/contracts/clients';
import type { CompanyDetailDto } from '@selvage/core/contracts/companies';
import { builtInRole } from '@selvage/core/contracts/permissions';
import { encodePassword } from '@selvage/core/contracts/fields';
import type { MailboxUse } from '@selvage/core/contracts/plan';
import type { UserDetailDto } from '@selvage/core/contracts/users';
import { systemContext } from '@selvage/core/context/context';
import { storeInbound } from '@selvage/core/mailstore/store-message';
import { Client } from '@selvage/core/models/client';
import { Company } from '@selvage/core/models/company';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import { User } from '@selvage/core/models/user';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox, type Mailbox } from '../../tests/support/factories.ts';
import { type Administrator, buildAdministrator, buildProvider, newPerson } from './test-people.ts';
import { type Answer, startTestServer, type TestServer } from './test-server.ts';

const megabyte = 1_048_576;
let server: TestServer;
let provider: Administrator;

beforeAll(async () => {
  server = await startTestServer();
  provider = await buildProvider(server);
});

const codeOf = ({ status, body }: Answer) => [status, body['code']];

/** An administrator whose company is the client's, as people of the provider see it. */
async function setUp(plan: Partial<Company> = {}, roleNumber: number = builtInRole.admin) {
  const admin = await buildAdministrator(server, { roleNumber });
  await admin.company.update(plan);
  const names = { fname: 'Meera', personalEmail: 'meera@x.test', businessEmail: admin.user.email };
  const client = await Client.create({ ...names, companyId: String(admin.company.id) });
  const path = (verb: string) => `/planbaseclient/${verb}/${client.id}`;
  const changeBy = (caller: Administrator, body: object) => caller.call('PUT', path('update'), body);
  return { admin, path, changeBy, companyId: String(admin.company.id) };
}

async function receive({ user, company }: Mailbox, bytes: number): Promise<string> {
  const header = `From: Bea <bea@sender.test>\r\nSubject: ${randomBytes(4).toString('hex')}\r\n\r\n`;
  const raw = Buffer.from(header + `${'x'.repeat(98)}\r\n`.repeat(bytes / 100)).subarray(0, bytes);
  const { entryIds } = await storeInbound(systemContext(server.app), {
    raw,
    envelopeFrom: 'bea@sender.test',
    recipients: [{ userId: String(user.id), companyId: String(company.id), address: user.email }],
    client: { address: '192.0.2.1', helo: 'mx.sender.test', tls: true },
    authentication: null,
    traceHeaders: '',
    mailId: randomBytes(10).toString('hex'),
  });
  return entryIds[0] ?? '';
}

describe('the plan of a client', () => {
  it('is given with a new client and changed by people of the provider', async () => {
    const name = randomBytes(5).toString('hex');
    const plan = { max_users: 3, max_domains: 2, storage_limit: 9 * megabyte, mailbox_limit: 2 * megabyte };
    const { body } = await provider.call('POST', '/planbaseclient/create', {
      company_name: `Mills ${name}`,
      fname: 'Meera',
      personal_email: `m@${name}.example`,
      business_email: `meera@${name}.test`,
      password: encodePassword('nine&wool'),
      ...plan,
    });
    const made = body.data as ClientDto;
    expect(made).toMatchObject(plan);
    const change = { max_users: 5, storage_limit: null, version: 1 };
    const changed = await provider.call('PUT', `/planbaseclient/update/${made._id}`, change);
    expect(changed.body.data).toMatchObject({ ...plan, max_users: 5, storage_limit: null, version: 2 });
    const again = await provider.call('PUT', `/planbaseclient/update/${made._id}`, { ...plan, max_users: 5 });
    expect(again.body.data).toMatchObject({ ...plan, max_users: 5, version: 3 });
  });

  it.each([
    ['max_users', 0],
    ['max_users', 1.5],
    ['max_domains', -1],
    ['storage_limit', megabyte - 1],
    ['mailbox_limit', 2 ** 60],
    ['mailbox_limit', '5'],
  ])('is refused with %s of %j', async (field, value) => {
    const { changeBy } = await setUp();
    const { status, body } = await changeBy(provider, { [field]: value });
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, [field]]);
  });

  it('is not changed by the people whom it limits, whatever flags they hold', async () => {
    const { admin, changeBy, companyId } = await setUp({ maxUsers: 3 }, builtInRole.superAdmin);
    expect((await changeBy(admin, { fname: 'Mira', max_users: 3 })).status).toBe(200);
    for (const body of [
      { max_users: 4 },
      { max_users: null },
      { storage_limit: megabyte },
      { mailbox_limit: megabyte },
    ]) {
      expect((await changeBy(admin, body)).status).toBe(403);
    }
    const company = await Company.findByPk(companyId);
    expect(company).toMatchObject({ maxUsers: 3, storageLimit: null, mailboxLimit: null });
  });

  it('is shown with what is used of it', async () => {
    const { admin, path, companyId } = await setUp({ maxUsers: 5, storageLimit: String(9 * megabyte) });
    await buildMailbox(server.app, { tenant: admin, user: { deletedAt: new Date() } });
    await receive(admin, 3000);
    const plan = {
      users: { used: 1, limit: 5 },
      domains: { used: 1, limit: null },
      storage: { used: 3000, limit: 9 * megabyte },
    };
    const client = (await provider.call('GET', path('get'))).body.data as ClientDetailDto;
    expect(client.plan).toEqual(plan);
    const company = (await admin.call('GET', `/company/get/${companyId}`)).body.data as CompanyDetailDto;
    expect(company.plan).toEqual(plan);
  });
});

describe('the last seat of a plan', () => {
  it('is taken once by people who are added at the same time', async () => {
    const { admin, companyId } = await setUp({ maxUsers: 3 });
    const bodies = Array.from({ length: 6 }, () => newPerson(admin, { local: `p${randomBytes(4).toString('hex')}` }));
    const answers = await Promise.all(bodies.map((body) => admin.call('POST', '/user/create', body)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(new Set(refused.map((one) => String(codeOf(one))))).toEqual(new Set(['409,users_limit_reached']));
    expect(refused[0]?.body.message).toBe(
      'The company has 3 of the 3 users of its plan. The provider can raise the limit.',
    );
    expect(await User.count({ where: { companyId, deletedAt: null } })).toBe(3);
  });

  it('is needed to restore a person, and free again when one is deleted', async () => {
    const { admin, companyId } = await setUp({ maxUsers: 2 });
    const gone = { deletedAt: new Date() };
    const people = [
      await buildMailbox(server.app, { tenant: admin, user: gone }),
      await buildMailbox(server.app, { tenant: admin, user: gone }),
    ];
    const restore = (person: Mailbox | undefined) => admin.call('PATCH', `/user/restore/${person?.user.id}`);
    const answers = await Promise.all(people.map(restore));
    expect(answers.map(codeOf).toSorted()).toEqual([
      [200, undefined],
      [409, 'users_limit_reached'],
    ]);
    expect(await User.count({ where: { companyId, deletedAt: null } })).toBe(2);
    const back = answers.findIndex(({ status }) => status === 200);
    await admin.call('DELETE', `/user/delete/${people[back]?.user.id}`);
    expect((await restore(people[1 - back])).status).toBe(200);
  });

  it('does not keep a company from being restored, and holds as before then', async () => {
    const { admin, path, companyId } = await setUp({ maxUsers: 1 });
    await provider.call('DELETE', path('delete'));
    expect((await provider.call('POST', path('restore'))).status).toBe(200);
    const body = newPerson(admin, { companyId });
    expect(codeOf(await provider.call('POST', '/user/create', body))).toEqual([409, 'users_limit_reached']);
  });
});

describe('the storage of a person', () => {
  it('is shown, and limited by an administrator but not by its owner', async () => {
    const { admin } = await setUp({ mailboxLimit: String(5 * megabyte) });
    const person = await buildMailbox(server.app, { tenant: admin });
    await receive(person, 2000);
    const path = `/user/update/${person.user.id}`;
    const read = async () => (await admin.call('GET', `/user/get/${person.user.id}`)).body.data as UserDetailDto;
    expect(await read()).toMatchObject({ storage: { used: 2000, limit: 5 * megabyte }, storage_limit: null });
    const own = 3 * megabyte;
    await admin.call('PUT', path, { storage_limit: own, version: 1 });
    expect(await read()).toMatchObject({ storage: { used: 2000, limit: own }, storage_limit: own, version: 2 });
    const form = new FormData();
    form.append('storage_limit', '');
    await admin.call('PUT', path, form);
    expect(await read()).toMatchObject({ storage: { limit: 5 * megabyte }, storage_limit: null, version: 3 });
    const { token } = await server.signIn(person.user.email, person.password);
    const raised = await server.call('PUT', path, { token, body: { storage_limit: 9 * megabyte } });
    expect(codeOf(raised)).toEqual([409, 'own_account']);
    expect((await admin.call('PUT', path, { storage_limit: 5 })).body.errors).toHaveProperty('storage_limit');
  });

  it('is shown to its owner, who cannot send once it is full and keeps what was written', async () => {
    const person = await buildMailbox(server.app, { user: { storageLimit: '2000' } });
    const { token } = await server.signIn(person.user.email, person.password);
    const use = async () =>
      ((await server.call('GET', '/mail/totals', { token })).body.data as { storage: MailboxUse }).storage;
    expect(await use()).toEqual({ used: 0, limit: 2000, full: null });
    const entryId = await receive(person, 2000);
    expect(await use()).toEqual({ used: 2000, limit: 2000, full: 'mailbox' });
    const send = () => {
      const form = new FormData();
      const fields = { 'recipient_emails_to[]': 'r@remote.test', subject: 'x', body: '<p>x</p>' };
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      return server.call('POST', '/mail/send', { token, body: form });
    };
    const refused = await send();
    expect(codeOf(refused)).toEqual([422, 'mailbox_full']);
    expect(refused.body.message).toMatch(/^Your mailbox is full\. Delete mail and empty the trash, or ask/);
    expect(await MailboxEntry.count({ where: { userId: person.user.id, sendStatus: true } })).toBe(0);
    const gone = await server.call('PUT', '/mail/status_change', {
      token,
      body: { email_id: [entryId], delete_status: true },
    });
    expect(gone.status).toBe(200);
    expect((await send()).status).toBe(200);
  });

  it('is full for its owner when that of the company is', async () => {
    const { admin } = await setUp({ storageLimit: '2000' });
    const person = await buildMailbox(server.app, { tenant: admin });
    await receive(admin, 2000);
    const { token } = await server.signIn(person.user.email, person.password);
    const { body } = await server.call('GET', '/mail/totals', { token });
    expect((body.data as { storage: MailboxUse }).storage).toEqual({ used: 0, limit: null, full: 'company' });
  });
});
