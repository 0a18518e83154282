import type { SessionDto } from '@selvage/core/contracts/auth';
import { builtInRole } from '@selvage/core/contracts/permissions';
import { AuditEvent } from '@selvage/core/models/audit-event';
import { Passkey } from '@selvage/core/models/passkey';
import { User } from '@selvage/core/models/user';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { mailsTo } from '../account/test-mails.ts';
import { startTestServer, type TestServer } from '../test-server.ts';
import { type Administrator, buildAdministrator } from '../test-people.ts';

let server: TestServer;
let admin: Administrator;

beforeAll(async () => {
  server = await startTestServer();
  admin = await buildAdministrator(server);
});

async function person(user: Parameters<typeof buildMailbox>[1] = {}): Promise<Mailbox & { token: string }> {
  const mailbox = await buildMailbox(server.app, { tenant: admin, ...user });
  return { ...mailbox, token: (await server.signIn(mailbox.user.email, mailbox.password)).token };
}

const infoOf = async (token: string) => (await server.call('GET', '/user/info', { token })).status;
const subjectsTo = async ({ user }: Mailbox) => (await mailsTo(server.app, user.email)).map(({ subject }) => subject);
const actionsOn = async ({ user }: Mailbox) =>
  (await AuditEvent.findAll({ where: { entityId: user.id, actorId: admin.user.id }, order: [['id', 'ASC']] })).map(
    ({ action }) => action,
  );

describe('an administrator, for the account of another person,', () => {
  it('sees the sessions and ends them all', async () => {
    const ana = await person();
    const listed = await admin.call('GET', `/user/sessions/${ana.user.id}`);
    expect(listed.body.data as SessionDto[]).toMatchObject([{ device_ip: '127.0.0.1' }]);
    expect((await admin.call('POST', `/user/sessions/end/${ana.user.id}`)).status).toBe(200);
    expect(await infoOf(ana.token)).toBe(401);
    expect((await admin.call('GET', `/user/sessions/${ana.user.id}`)).body.data).toEqual([]);
    expect(await subjectsTo(ana)).toEqual(['Your sessions were ended']);
    expect(await actionsOn(ana)).toEqual(['session:end']);
  });

  it('requires a new password, which open windows ask for at the next step', async () => {
    const ana = await person();
    expect((await admin.call('POST', `/user/require_password/${ana.user.id}`)).status).toBe(200);
    const refused = await server.call('GET', '/mail/get/sent/by_user', { token: ana.token });
    expect([refused.status, refused.body['code']]).toEqual([403, 'password_change_required']);
    expect(await subjectsTo(ana)).toEqual(['Please change your password']);
    expect(await actionsOn(ana)).toEqual(['password:change-required']);
  });

  it('turns off a second factor that was lost, with all that belongs to it', async () => {
    const ana = await person();
    await ana.user.update({ twoFactorStatus: true, twoFactorSecret: 'sealed' });
    const owner = { userId: String(ana.user.id), companyId: String(ana.company.id) };
    await Passkey.create({
      ...owner,
      passkeyName: 'key',
      credentialId: `c${ana.user.id}`,
      publicKey: 'k',
      transports: [],
    });
    const turnOff = () => admin.call('POST', `/user/two_factor/off/${ana.user.id}`);
    expect((await turnOff()).status).toBe(200);
    expect(await User.findByPk(ana.user.id)).toMatchObject({ twoFactorStatus: false, twoFactorSecret: null });
    expect(await Passkey.count({ where: { userId: ana.user.id } })).toBe(0);
    expect(await infoOf(ana.token)).toBe(401);
    expect(await subjectsTo(ana)).toEqual(['Two-factor authentication is off']);
    expect(await actionsOn(ana)).toEqual(['two-factor:off']);
    const again = await turnOff();
    expect([again.status, again.body['code']]).toEqual([409, 'two_factor_off']);
  });

  it('does none of it to themselves, to a person that may do more, or to one of another company', async () => {
    const chief = await person({ roleNumber: builtInRole.superAdmin });
    const stranger = await buildMailbox(server.app);
    for (const path of ['/user/sessions/end', '/user/require_password', '/user/two_factor/off']) {
      const codes = await Promise.all(
        [admin.user.id, chief.user.id, stranger.user.id].map(
          async (id) => (await admin.call('POST', `${path}/${id}`)).body['code'],
        ),
      );
      expect(codes).toEqual(['own_account', 'outranked', 'user_not_found']);
    }
    expect((await admin.call('GET', `/user/sessions/${stranger.user.id}`)).status).toBe(404);
    expect(await infoOf(chief.token)).toBe(200);
  });
});
