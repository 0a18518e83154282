import { encodePassword } from '@selvage/core/contracts/fields';
import { builtInRole } from '@selvage/core/contracts/permissions';
import { Session } from '@selvage/core/models/session';
import { User } from '@selvage/core/models/user';
import { Op } from 'sequelize';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { type Administrator, buildAdministrator, buildRole, newPerson } from '../test-people.ts';
import { type Answer, startTestServer, type TestServer } from '../test-server.ts';
import { begin, codeOf, turnOn, wrongCodeOf } from './test-two-factor.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

/** An administrator of a company, and what an attacker with their session would aim at. */
interface Aim {
  admin: Administrator;
  person: Mailbox;
  adminRole: string;
  /** A role that reaches other people's mail, and one that does not. */
  reaching: string;
  harmless: string;
}

type Act = (aim: Aim) => Promise<Answer>;

const importOf = async ({ admin }: Aim, role: string, dryRun: boolean): Promise<Answer> => {
  const form = new FormData();
  form.set('dry_run', String(dryRun));
  const row = `Eve,eve@${admin.domain.domainName},${role}`;
  form.append('file', new Blob([`First name,Email,Role\n${row}\n`]), 'people.csv');
  return await server.call('POST', '/user/import', { token: admin.token, body: form });
};

const update = ({ admin, person }: Aim, body: object): Promise<Answer> =>
  admin.call('PUT', `/user/update/${person.user.id}`, body);

/** Each would let the attacker in again once the session has ended, or reach what others have. */
const acts: Record<string, Act> = {
  'the password of another person': (aim) => update(aim, { password: encodePassword('a password of mine') }),
  'the recovery address of another person': (aim) => update(aim, { recovery_email: 'eve@evil.test' }),
  'a role that reaches others': (aim) => update(aim, { role_id: aim.adminRole }),
  'such a role for many': ({ admin, person, reaching }) =>
    admin.call('PATCH', '/user/update_many', { ids: [String(person.user.id)], role_id: reaching }),
  'a new administrator': ({ admin, adminRole }) =>
    admin.call('POST', '/user/create', newPerson(admin, { role_id: adminRole })),
  'new administrators from a file': (aim) => importOf(aim, 'Admin', false),
  'the second factor of another person': ({ admin, person }) =>
    admin.call('POST', `/user/two_factor/off/${person.user.id}`),
  'an easier rule': ({ admin, harmless }) =>
    admin.call('PUT', `/role/two_factor/${harmless}`, { required: false, grace_days: 0 }),
  'permissions of a role': ({ admin, harmless }) =>
    admin.call('POST', '/users/add_or_update/permissions', {
      role_id: harmless,
      permissions: [{ model: 'user', view: true }],
    }),
  'a copy of the mail of another person': ({ admin, person }) =>
    admin.call('PUT', '/mail/backup', { user_id: String(person.user.id), backup_user_email: admin.user.email }),
};

const harmlessActs: Record<string, Act> = {
  'a name': (aim) => update(aim, { fname: 'Anna' }),
  'a role for own mail': (aim) => update(aim, { role_id: aim.harmless }),
  'a new person': ({ admin }) => admin.call('POST', '/user/create', newPerson(admin)),
  'new people from a file': (aim) => importOf(aim, 'User', false),
  'a look at a file': (aim) => importOf(aim, 'Admin', true),
  'the sessions of another person': ({ admin, person }) => admin.call('POST', `/user/sessions/end/${person.user.id}`),
  'a stricter rule': ({ admin, reaching }) =>
    admin.call('PUT', `/role/two_factor/${reaching}`, { required: true, grace_days: 3 }),
};

/** Logs in with the password and a code of the app, which an attacker in between could pass on. */
async function signInByCode(mailbox: Mailbox, secret: string): Promise<Administrator> {
  const headers = { cookie: await begin(server, mailbox) };
  const { body } = await server.call('POST', '/user/verify_otp', { headers, body: { otp: codeOf(secret) } });
  await freeCode(mailbox);
  const token = String(body['token']);
  return { ...mailbox, token, call: (method, path, sent) => server.call(method, path, { token, body: sent }) };
}

/** Makes the present code of the app usable again. */
const freeCode = ({ user }: Mailbox) => User.update({ twoFactorLastStep: 0 }, { where: { id: user.id } });

const confirm = ({ call, password }: Administrator, proof: object): Promise<Answer> =>
  call('POST', '/user/confirm', { password: encodePassword(password), ...proof });

const told = ({ status, body }: Answer) => [status, body['code']];
const confirmFirst = [403, 'confirm_first'];

/** The session was opened, and proved, so many minutes before. */
async function age({ user }: Mailbox, minutes: number): Promise<void> {
  const earlier = new Date(Date.now() - minutes * 60_000);
  const where = { userId: String(user.id) };
  await Session.update({ confirmedAt: earlier }, { where: { ...where, confirmedAt: { [Op.not]: null } } });
  await Session.update({ createdAt: earlier }, { where, silent: true });
}

async function buildAim(): Promise<Aim & { secret: string }> {
  const mailbox = await buildMailbox(server.app, { roleNumber: builtInRole.admin });
  const { secret } = await turnOn(server, mailbox);
  const admin = await signInByCode(mailbox, secret);
  const person = await buildMailbox(server.app, { tenant: mailbox, user: { twoFactorStatus: true } });
  const reaching = await buildRole(mailbox, [['user', 'view']]);
  const harmless = await buildRole(mailbox, [['inbox', 'view']]);
  await harmless.update({ twoFactorSince: new Date() });
  return {
    admin,
    person,
    secret,
    adminRole: String(mailbox.roles.get(builtInRole.admin)?.id),
    reaching: String(reaching.id),
    harmless: String(harmless.id),
  };
}

describe.each(Object.entries(acts))('an act that gives power over others: %s', (_name, act) => {
  it('takes a fresh proof of an administrator with two-factor on', async () => {
    const aim = await buildAim();
    const before = await aim.person.user.reload();
    const passwordHash = before.passwordHash;
    expect(told(await act(aim))).toEqual(confirmFirst);
    expect((await aim.person.user.reload()).passwordHash).toBe(passwordHash);
    expect((await confirm(aim.admin, { otp: codeOf(aim.secret) })).status).toBe(200);
    expect((await act(aim)).status).toBe(200);
  });
});

it.each(Object.entries(harmlessActs))('asks for no proof before %s', async (_name, act) => {
  expect((await act(await buildAim())).status).toBe(200);
});

describe('a proof', () => {
  it('is the password and a code while two-factor is on', async () => {
    const { admin, secret } = await buildAim();
    const wrong = await confirm({ ...admin, password: 'another pass phrase' }, { otp: codeOf(secret) });
    expect([wrong.status, Object.keys(wrong.body.errors ?? {})]).toEqual([422, ['password']]);
    for (const proof of [{}, { otp: wrongCodeOf(secret) }, { recovery_code: 'aaaa-aaaa-aa' }]) {
      const refused = await confirm(admin, proof);
      expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([422, ['otp']]);
    }
    const { status, body } = await confirm(admin, { otp: codeOf(secret) });
    expect(status).toBe(200);
    const until = Date.parse((body.data as { confirmed_until: string }).confirmed_until);
    expect(Math.round((until - Date.now()) / 60_000)).toBe(15);
  });

  it('holds for a quarter of an hour, and for its own session alone', async () => {
    const aim = await buildAim();
    const act = acts['the password of another person'] as Act;
    await confirm(aim.admin, { otp: codeOf(aim.secret) });
    await freeCode(aim.admin);
    const other = await signInByCode(aim.admin, aim.secret);
    expect(told(await act({ ...aim, admin: other }))).toEqual(confirmFirst);
    await age(aim.admin, 14);
    expect((await act(aim)).status).toBe(200);
    await age(aim.admin, 16);
    expect(told(await act(aim))).toEqual(confirmFirst);
  });

  it('is the login too, while two-factor is off', async () => {
    const admin = await buildAdministrator(server);
    const person = await buildMailbox(server.app, { tenant: admin });
    const aim = { admin, person, adminRole: '', reaching: '', harmless: '' };
    const act = acts['the password of another person'] as Act;
    expect((await act(aim)).status).toBe(200);
    await age(admin, 16);
    expect(told(await act(aim))).toEqual(confirmFirst);
    // The clock was an hour ahead at the login
    await age(admin, -60);
    expect(told(await act(aim))).toEqual(confirmFirst);
    expect((await confirm(admin, {})).status).toBe(200);
    expect((await act(aim)).status).toBe(200);
  });

  it('is not needed to be told that a person may not be changed', async () => {
    const aim = await buildAim();
    const foreign = await buildMailbox(server.app);
    const above = await buildMailbox(server.app, { tenant: aim.admin, roleNumber: builtInRole.superAdmin });
    const password = { password: encodePassword('a password of mine') };
    expect((await update({ ...aim, person: foreign }, password)).status).toBe(404);
    expect(told(await update({ ...aim, person: above }, password))).toEqual([403, 'outranked']);
  });
});
