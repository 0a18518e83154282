import { beforeAll, describe, expect, it } from 'vitest';
import { buildAlias, buildMailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import type { App } from '../context/app.ts';
import { systemContext } from '../context/context.ts';
import { AuditEvent } from '../models/audit-event.ts';
import { Delivery } from '../models/delivery.ts';
import { Passkey } from '../models/passkey.ts';
import { RecoveryCode } from '../models/recovery-code.ts';
import { findLink } from '../directory/one-time-links.ts';
import { verifyPassword } from '../secrets/password-hash.ts';
import { makeResetLink } from './reset-password.ts';

let app: App;

beforeAll(async () => {
  app = await testApp();
});

const reset = (address: string, turnsTwoFactorOff = false) =>
  makeResetLink(systemContext(app), { address, turnsTwoFactorOff });
const mailsTo = (address: string) => Delivery.count({ where: { recipient: address } });
const eventsOf = async (userId: string) =>
  (await AuditEvent.findAll({ where: { entity: 'user', entityId: userId }, order: ['id'] })).map(
    ({ action, actorId, address }) => [action, actorId, address],
  );

async function buildProtected() {
  const mailbox = await buildMailbox(app, { user: { twoFactorStatus: true, twoFactorSecret: 'sealed' } });
  const owner = { companyId: String(mailbox.company.id), userId: String(mailbox.user.id) };
  await RecoveryCode.create({ ...owner, codeHash: 'h' });
  return { ...mailbox, owner };
}

describe('the reset of a password by the operator', () => {
  it('makes a link of the person, however the address is written, and changes nothing else', async () => {
    const { user, owner } = await buildProtected();
    const { email, link, isTwoFactorOn } = await reset(user.email.toUpperCase());
    expect([email, isTwoFactorOn]).toEqual([user.email, true]);
    const token = new URL(link).hash.slice(1);
    expect(await findLink(systemContext(app), token, 'set_password')).toMatchObject({ userId: user.id });
    expect((await user.reload()).twoFactorStatus).toBe(true);
    expect(await RecoveryCode.count({ where: { userId: owner.userId } })).toBe(1);
    expect(await mailsTo(user.email)).toBe(0);
    expect(await eventsOf(owner.userId)).toEqual([['password:link-mailed', null, '']]);
  });

  it('turns two-factor off with all that belongs to it when that is asked for, and mails the person once', async () => {
    const { user, owner } = await buildProtected();
    await user.update({ confirmedRecoveryEmail: `recovery-of-${user.id}@recovery.test` });
    expect(await reset(user.email, true)).toMatchObject({ isTwoFactorOn: false });
    expect(await user.reload()).toMatchObject({ twoFactorStatus: false, twoFactorSecret: null });
    expect(await RecoveryCode.count({ where: { userId: owner.userId } })).toBe(0);
    expect(await Passkey.count({ where: { userId: owner.userId } })).toBe(0);
    expect((await eventsOf(owner.userId)).map(([action]) => action)).toEqual([
      'two-factor:off',
      'password:link-mailed',
    ]);
    expect([await mailsTo(user.email), await mailsTo(`recovery-of-${user.id}@recovery.test`)]).toEqual([1, 1]);
    await reset(user.email, true);
    expect(await mailsTo(user.email)).toBe(1);
  });

  it('leaves the password as it is unless it turns two-factor off, and then makes it useless', async () => {
    const { user, password } = await buildProtected();
    const { passwordHash, tokenVersion } = user;
    await reset(user.email);
    expect(await user.reload()).toMatchObject({ passwordHash, tokenVersion });
    const { link, wasTurnedOff } = await reset(user.email, true);
    expect(wasTurnedOff).toBe(true);
    expect(await verifyPassword(password, (await user.reload()).passwordHash)).toBe(false);
    expect(user.tokenVersion).toBe(tokenVersion + 1);
    const after = user.passwordHash;
    const again = await reset(user.email, true);
    expect(again.wasTurnedOff).toBe(false);
    expect((await user.reload()).passwordHash).toBe(after);
    const find = (url: string) => findLink(systemContext(app), new URL(url).hash.slice(1), 'set_password');
    expect([await find(link), await find(again.link)]).toEqual([null, expect.objectContaining({ userId: user.id })]);
  });

  it('says why there is none', async () => {
    const mailbox = await buildMailbox(app);
    const alias = await buildAlias(mailbox);
    await mailbox.user.update({ activeStatus: false });
    await expect(reset('nobody')).rejects.toThrow('nobody is no address');
    await expect(reset(alias.address)).rejects.toThrow('an alias or a group has no password');
    await expect(reset(mailbox.user.email)).rejects.toThrow('may not log in');
    expect(await eventsOf(String(mailbox.user.id))).toEqual([]);
  });
});
