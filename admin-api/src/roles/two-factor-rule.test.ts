import { systemContext } from '@selvage/core/context/context';
import type { CurrentUserDto } from '@selvage/core/contracts/auth';
import { encodePassword } from '@selvage/core/contracts/fields';
import { builtInRole } from '@selvage/core/contracts/permissions';
import type { RoleDto } from '@selvage/core/contracts/roles';
import { authenticateMailbox } from '@selvage/core/directory/authenticate-mailbox';
import { AuditEvent } from '@selvage/core/models/audit-event';
import type { Role } from '@selvage/core/models/role';
import { User } from '@selvage/core/models/user';
import { UserPermission } from '@selvage/core/models/user-permission';
import { TOTP } from 'otpauth';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { type Administrator, buildAdministrator, buildRole, signInAs } from '../test-people.ts';
import { startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;
let admin: Administrator;
let role: Role;

const dayMs = 86_400_000;

beforeAll(async () => {
  server = await startTestServer();
  admin = await buildAdministrator(server);
  role = await buildRole(admin, [
    ['inbox', 'view'],
    ['sent', 'create'],
  ]);
});

const ask = (of: Role, body: object, as = admin) => as.call('PUT', `/role/two_factor/${of.id}`, body);
const person = async (user: object = {}) =>
  await signInAs(server, await buildMailbox(server.app, { tenant: admin, user: { roleId: String(role.id), ...user } }));
const info = async (who: Administrator) => (await who.call('GET', '/user/info')).body.data as CurrentUserDto;
const codeOf = ({ status, body }: { status: number; body: Record<string, unknown> }) => [status, body['code']];
const submits = async ({ user, password }: Mailbox) =>
  await authenticateMailbox(systemContext(server.app), user.email, password);

async function turnOn(who: Administrator): Promise<number> {
  const begun = await who.call('POST', '/user/verify_password', {
    password: encodePassword(who.password),
    onoff_status: true,
  });
  const otp = new TOTP({ secret: String(begun.body['secret']) }).generate();
  return (await who.call('POST', '/user/verify_otp', { otp, tfa_status: true })).status;
}

describe('a role whose people need a second factor', () => {
  it('lets them go on during the days of grace, and then only set it up', async () => {
    const ana = await person();
    expect((await info(ana)).two_factor_due).toBeNull();
    const set = (await ask(role, { required: true, grace_days: 7 })).body.data as RoleDto;
    expect(set.two_factor?.grace_days).toBe(7);
    const { two_factor_due: due } = await info(ana);
    expect(due?.is_over).toBe(false);
    expect(Date.parse(due?.at ?? '') - Date.parse(set.two_factor?.since ?? '')).toBe(7 * dayMs);
    expect((await ana.call('GET', '/signature/get/all')).status).not.toBe(403);
    expect(await submits(ana)).toMatchObject({ ok: true });

    await ask(role, { required: true, grace_days: 0 });
    expect((await info(ana)).two_factor_due?.is_over).toBe(true);
    expect(codeOf(await ana.call('GET', '/user/passkeys'))).toEqual([403, 'two_factor_required']);
    expect(await submits(ana)).toMatchObject({ ok: false, reason: 'second_factor' });
    expect(await turnOn(ana)).toBe(200);
    expect((await info(ana)).two_factor_due).toBeNull();
    expect((await ana.call('GET', '/user/passkeys')).status).toBe(200);
  });

  it('keeps them from turning it off, until the rule ends', async () => {
    await ask(role, { required: true });
    const ken = await person();
    await turnOn(ken);
    const turnOff = () =>
      ken.call('POST', '/user/verify_password', { password: encodePassword(ken.password), onoff_status: false });
    expect(codeOf(await turnOff())).toEqual([409, 'two_factor_stays']);
    expect((await ask(role, { required: false })).body.data).toMatchObject({ two_factor: null });
    expect((await turnOff()).status).toBe(200);
  });

  it('counts the days of grace of a younger account from its creation', async () => {
    await ask(role, { required: true, grace_days: 3 });
    await role.update({ twoFactorSince: new Date(Date.now() - 10 * dayMs) });
    const [old, young] = [await person(), await person()];
    await User.update({ createdAt: new Date(Date.now() - 20 * dayMs) }, { where: { id: old.user.id }, silent: true });
    expect((await info(old)).two_factor_due?.is_over).toBe(true);
    expect((await info(young)).two_factor_due?.is_over).toBe(false);
    await ask(role, { required: false });
  });

  it('asks for the new password first', async () => {
    await ask(role, { required: true });
    const eve = await person({ passwordChangeRequired: true });
    expect(codeOf(await eve.call('GET', '/user/passkeys'))).toEqual([403, 'password_change_required']);
    await ask(role, { required: false });
  });

  it('may be a built-in one, and its own administrator’s', async () => {
    const other = await buildAdministrator(server);
    const own = other.roles.get(builtInRole.admin) as Role;
    expect((await ask(own, { required: true, grace_days: 3 }, other)).status).toBe(200);
    for (const eased of [{ required: false }, { required: true, grace_days: 4 }]) {
      expect(codeOf(await ask(own, eased, other))).toEqual([409, 'own_rule']);
    }
    expect((await ask(own, { required: true }, other)).status).toBe(200);
    expect(codeOf(await other.call('GET', '/user/get/all'))).toEqual([403, 'two_factor_required']);
    expect(await turnOn(other)).toBe(200);
    expect((await other.call('GET', '/user/get/all')).status).toBe(200);
    expect((await ask(own, { required: false }, other)).status).toBe(200);
  });

  it('keeps the begin when the days change, and leaves an event', async () => {
    const mine = await buildRole(admin, [['inbox', 'view']]);
    const first = (await ask(mine, { required: true, grace_days: 2, version: 1 })).body.data as RoleDto;
    const second = (await ask(mine, { required: true, grace_days: 5, version: 2 })).body.data as RoleDto;
    expect(second.two_factor).toEqual({ since: first.two_factor?.since, grace_days: 5 });
    expect((await ask(mine, { required: false, version: 2 })).body['code']).toBe('changed_meanwhile');
    const [event] = await AuditEvent.findAll({
      where: { action: 'role:updated', entityId: String(mine.id) },
      order: [['id', 'DESC']],
    });
    expect(event?.details).toMatchObject({
      before: { grace_days: 2 },
      after: { grace_days: 5 },
      fields: ['grace_days'],
    });
  });

  it('is refused to callers below it, of another company, and for wrong days', async () => {
    const superAdmin = admin.roles.get(builtInRole.superAdmin) as Role;
    expect(codeOf(await ask(superAdmin, { required: true }))).toEqual([403, 'outranked']);
    const other = await buildAdministrator(server);
    expect((await ask(role, { required: true }, other)).status).toBe(404);
    for (const days of [-1, 1.5, 91, '3']) {
      expect((await ask(role, { required: true, grace_days: days })).body.errors).toEqual({
        grace_days: 'Grace period in days must be a whole number from 0 to 90',
      });
    }
  });

  it('is not eased by a caller below a person who has the role, and more by rows of their own', async () => {
    const shared = await buildRole(admin, [['inbox', 'view']]);
    const strong = await buildMailbox(server.app, { tenant: admin, user: { roleId: String(shared.id) } });
    const own = { companyId: String(admin.company.id), userId: String(strong.user.id), model: 'user' };
    await UserPermission.create({ ...own, canEdit: true });
    const small = await buildRole(admin, [
      ['inbox', 'view'],
      ['role', 'edit'],
    ]);
    const user = { roleId: String(small.id) };
    const helper = await signInAs(server, await buildMailbox(server.app, { tenant: admin, user }));
    expect((await ask(shared, { required: true, grace_days: 3 }, helper)).status).toBe(200);
    for (const eased of [{ required: false }, { required: true, grace_days: 4 }]) {
      expect(codeOf(await ask(shared, eased, helper))).toEqual([403, 'outranked']);
    }
    expect((await ask(shared, { required: true, grace_days: 2 }, helper)).status).toBe(200);
    expect((await ask(shared, { required: false })).status).toBe(200);
  });
});
