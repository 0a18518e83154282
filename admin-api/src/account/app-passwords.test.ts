import type { ActivityDto, AppPasswordDto } from '@selvage/core/contracts/account';
import { encodePassword } from '@selvage/core/contracts/fields';
import { authenticateMailbox } from '@selvage/core/directory/authenticate-mailbox';
import { AppPassword } from '@selvage/core/models/app-password';
import { systemContext } from '@selvage/core/context/context';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { type Administrator, buildAdministrator, signInAs } from '../test-people.ts';
import { startTestServer, type TestServer } from '../test-server.ts';
import { mailsTo } from './test-mails.ts';

let server: TestServer;
let ana: Mailbox;
let token: string;

beforeAll(async () => {
  server = await startTestServer();
  ana = await buildMailbox(server.app);
  token = (await server.signIn(ana.user.email, ana.password)).token;
});

type Made = AppPasswordDto & { app_password: string; server: object };

const create = (app_name: string, password = ana.password) =>
  server.call('POST', '/user/app_passwords', { token, body: { app_name, password: encodePassword(password) } });
const list = async () => (await server.call('GET', '/user/app_passwords', { token })).body.data as AppPasswordDto[];
const signIn = (person: Mailbox, password: string) =>
  authenticateMailbox({ ...systemContext(server.app), address: '192.0.2.7' }, person.user.email, password);

describe('app passwords', () => {
  it('are shown once, open the mailbox of their owner only, show their last use and can be taken back', async () => {
    const made = (await create('Phone')).body.data as Made;
    expect(made.app_password).toMatch(/^[a-z2-6]{5}(-[a-z2-6]{5}){3}$/);
    const { hostname, submissionsPort, submissionPort } = server.app.config;
    expect(made.server).toEqual({ host: hostname, tls_port: submissionsPort, starttls_port: submissionPort });
    expect(JSON.stringify(await list())).not.toContain(made.app_password);
    expect(await list()).toMatchObject([{ _id: made._id, app_name: 'Phone', last_used: null, last_used_ip: null }]);

    expect(await signIn(ana, made.app_password.replaceAll('-', '').toUpperCase())).toMatchObject({ ok: true });
    expect(await list()).toMatchObject([{ last_used: expect.any(String), last_used_ip: '192.0.2.7' }]);
    const ben = await buildMailbox(server.app);
    expect(await signIn(ben, made.app_password)).toMatchObject({ ok: false, reason: 'wrong_credentials' });
    expect((await server.signIn(ana.user.email, made.app_password)).token).toBe('');

    expect((await server.call('DELETE', `/user/app_passwords/${made._id}`, { token })).status).toBe(200);
    expect(await signIn(ana, made.app_password)).toMatchObject({ ok: false, reason: 'wrong_credentials' });
    expect(await list()).toEqual([]);
    expect((await mailsTo(server.app, ana.user.email))[0]?.subject).toMatch(/mail program/);
  });

  it("need the account's password and a name, and are limited in number", async () => {
    expect((await create('Phone', 'not my password')).body.errors).toHaveProperty('password');
    expect((await create('  ')).body.errors).toEqual({ app_name: 'Please enter a name for the mail program' });
    const owner = { userId: String(ana.user.id), companyId: String(ana.company.id) };
    await AppPassword.bulkCreate(
      Array.from({ length: 25 }, (_, number) => ({ ...owner, appName: 'x', passwordHash: `hash ${number}` })),
    );
    expect((await create('One more')).body).toMatchObject({ code: 'too_many_app_passwords' });
    await AppPassword.destroy({ where: { userId: owner.userId } });
  });

  it('of another person cannot be seen or taken back', async () => {
    const ben = await buildMailbox(server.app, { tenant: ana });
    const owner = { userId: String(ben.user.id), companyId: String(ben.company.id) };
    const theirs = await AppPassword.create({ ...owner, appName: 'Theirs', passwordHash: 'a hash' });
    expect(await list()).toEqual([]);
    expect((await server.call('DELETE', `/user/app_passwords/${theirs.id}`, { token })).status).toBe(404);
    expect(await AppPassword.count({ where: { id: theirs.id } })).toBe(1);
  });

  it('are the only passwords accepted while two-factor is on or the password has to be changed', async () => {
    const made = (await create('Laptop')).body.data as Made;
    await ana.user.update({ passwordChangeRequired: true });
    expect(await signIn(ana, ana.password)).toMatchObject({ ok: false, reason: 'password_change' });
    await ana.user.update({ twoFactorStatus: true });
    expect(await signIn(ana, ana.password)).toMatchObject({ ok: false, reason: 'second_factor' });
    expect(await signIn(ana, made.app_password)).toMatchObject({ ok: true });
    await ana.user.update({ twoFactorStatus: false, passwordChangeRequired: false });
  });
});

describe('activity', () => {
  it("lists what happened to the caller's account only, the latest first, page by page", async () => {
    const cem = await buildMailbox(server.app);
    const session = await server.signIn(cem.user.email, cem.password);
    const body = { recovery_email: 'cem@recovery.test', password: encodePassword(cem.password) };
    await server.call('PUT', '/user/recovery_email', { token: session.token, body });
    const all = await server.call('GET', '/user/activity', { token: session.token });
    const rows = all.body.data as ActivityDto[];
    expect(rows.map(({ action }) => action)).toEqual(['recovery-email:changed', 'session:start']);
    expect(rows[0]).toMatchObject({ ip: '127.0.0.1', createdAt: expect.any(String) });
    const second = await server.call('GET', '/user/activity?limit=1&page=2', { token: session.token });
    expect(second.body.data).toEqual(rows.slice(1));
    expect(second.body['pagination']).toEqual({ totalData: 2, totalPages: 2, pageNumber: 2, pageSize: 1 });
    const found = await server.call('GET', '/user/activity?search=RECOVERY%20127.0', { token: session.token });
    expect(found.body.data).toEqual(rows.slice(0, 1));
    const oldest = await server.call('GET', '/user/activity?sort=createdAt', { token: session.token });
    expect(oldest.body.data).toEqual(rows.toReversed());
    const wrong = await server.call('GET', '/user/activity?sort=id%20DESC', { token: session.token });
    expect([wrong.status, wrong.body.errors]).toEqual([422, { sort: expect.stringContaining('-createdAt') }]);
  });

  it('leaves out what an administrator did to the account of another person, who finds it', async () => {
    const boss = await buildAdministrator(server);
    const person = await signInAs(server, await buildMailbox(server.app, { tenant: boss }));
    const actionsOf = async (one: Administrator) =>
      ((await one.call('GET', '/user/activity')).body.data as ActivityDto[]).map(({ action }) => action);
    expect((await boss.call('POST', `/user/require_password/${person.user.id}`)).status).toBe(200);
    expect((await boss.call('PUT', `/company/update/${boss.company.id}`, { city: 'Agra' })).status).toBe(200);
    expect(await actionsOf(boss)).toEqual(['company:updated', 'session:start']);
    await (await person.user.reload()).update({ passwordChangeRequired: false });
    expect(await actionsOf(person)).toEqual(['password:change-required', 'session:start']);
  });
});
