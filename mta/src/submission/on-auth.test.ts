import { randomUUID } from 'node:crypto';
import { hashAppPassword, newAppPassword } from '@selvage/core/directory/verify-app-password';
import { AuditEvent } from '@selvage/core/models/audit-event';
import { AppPassword } from '@selvage/core/models/app-password';
import { Delivery } from '@selvage/core/models/delivery';
import { Role } from '@selvage/core/models/role';
import { Session } from '@selvage/core/models/session';
import { User } from '@selvage/core/models/user';
import type { App } from '@selvage/core/context/app';
import { passwordHashes } from '@selvage/core/metrics';
import { networkOf } from '@selvage/core/access/network-of';
import { hashPassword } from '@selvage/core/secrets/password-hash';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { RefusedMailLogins } from '@selvage/core/access/refused-mail-logins';
import { logIn } from './on-auth.ts';

let app: App;
let refused: RefusedMailLogins;

beforeAll(async () => {
  app = await testApp();
  refused = new RefusedMailLogins(app);
});

let networks = 0;

/** An address of a network that no other test logs in from. */
function newAddress(): string {
  networks += 1;
  return `198.18.${networks}.1`;
}

/** Logs in and returns the reply code; 235 is success (RFC 4954). */
async function codeOf(mailbox: Mailbox, password: string, address: string): Promise<number> {
  const credentials = { username: mailbox.user.email, password, address, sessionId: 's' };
  const outcome = await logIn(app, credentials, refused);
  return 'refuse' in outcome ? outcome.refuse.code : 235;
}

async function buildAppPassword({ company, user }: Mailbox): Promise<string> {
  const password = newAppPassword();
  const ids = { companyId: String(company.id), userId: String(user.id) };
  await AppPassword.create({ ...ids, appName: 'Laptop', passwordHash: hashAppPassword(app, password) });
  return password;
}

/** A session of the web app that has ended. */
async function buildSession({ company, user }: Mailbox, deviceIp: string): Promise<void> {
  const now = new Date();
  const [sessionKey, refreshHash] = [randomUUID(), randomUUID()];
  const ids = { companyId: String(company.id), userId: String(user.id), sessionKey, refreshHash, tokenVersion: 0 };
  await Session.create({ ...ids, deviceIp, userAgent: '', lastActive: now, expiresAt: now, endedAt: now });
}

async function hashesDuring(work: () => Promise<void>): Promise<number> {
  const count = async () => (await passwordHashes.get()).values.reduce((sum, { value }) => sum + value, 0);
  const before = await count();
  await work();
  return (await count()) - before;
}

// Hundreds of guesses cost as many slow hashes
describe('logging a mail program in', { timeout: 300_000 }, () => {
  it('never counts logins that succeed, neither one after the other nor all at once', async () => {
    const ana = await buildMailbox(app);
    const address = newAddress();
    for (let attempt = 0; attempt < 12; attempt += 1) expect(await codeOf(ana, ana.password, address)).toBe(235);
    const atOnce = await Promise.all(Array.from({ length: 40 }, () => codeOf(ana, ana.password, address)));
    expect(new Set(atOnce)).toEqual(new Set([235]));
    expect(await app.redis.keys(`rate:*${networkOf(address)}`)).toEqual([]);
    await codeOf(ana, 'wrong', address);
    // Of the network, of the account from there, and of the account from its block
    expect(await app.redis.keys(`rate:*${networkOf(address)}`)).toHaveLength(3);
  });

  it('computes one password hash for a program that connects for each message', async () => {
    const ana = await buildMailbox(app);
    const address = newAddress();
    const hashes = await hashesDuring(async () => {
      await Promise.all(Array.from({ length: 20 }, () => codeOf(ana, ana.password, address)));
      for (let attempt = 0; attempt < 20; attempt += 1) await codeOf(ana, ana.password, address);
    });
    expect(hashes).toBe(1);
  });

  it('computes no password hash for a program with an app password', async () => {
    const ana = await buildMailbox(app, { user: { twoFactorStatus: true } });
    const password = await buildAppPassword(ana);
    const hashes = await hashesDuring(async () => {
      expect(await codeOf(ana, password, newAddress())).toBe(235);
    });
    expect(hashes).toBe(0);
  });

  it('tells a person what is missing whose role asks for a second factor that they have not set up', async () => {
    const ana = await buildMailbox(app);
    await Role.update({ twoFactorSince: new Date(0), twoFactorGraceDays: 0 }, { where: { id: ana.user.roleId } });
    const textOf = async () => {
      const credentials = { username: ana.user.email, password: ana.password, address: newAddress(), sessionId: 's' };
      const outcome = await logIn(app, credentials, refused);
      return 'refuse' in outcome ? [outcome.refuse.code, outcome.refuse.text] : [];
    };
    expect(await textOf()).toEqual([534, expect.stringMatching(/^Your company requires two-factor: .* app password/)]);
    await ana.user.update({ twoFactorStatus: true });
    expect(await textOf()).toEqual([534, expect.stringMatching(/^Two-factor is on: .* app password/)]);
  });

  it('refuses a password from the moment that it is changed, or that the account may not use it', async () => {
    const ana = await buildMailbox(app);
    const address = newAddress();
    expect(await codeOf(ana, ana.password, address)).toBe(235);
    await User.update({ loginAllowed: false }, { where: { id: ana.user.id } });
    expect(await codeOf(ana, ana.password, address)).toBe(535);
    await User.update({ loginAllowed: true, twoFactorStatus: true }, { where: { id: ana.user.id } });
    expect(await codeOf(ana, ana.password, address)).toBe(534);
    await User.update({ twoFactorStatus: false }, { where: { id: ana.user.id } });
    expect(await codeOf(ana, ana.password, address)).toBe(235);
    await User.update({ passwordHash: await hashPassword('another') }, { where: { id: ana.user.id } });
    expect(await codeOf(ana, ana.password, address)).toBe(535);
    await ana.company.update({ activeStatus: false });
    expect(await codeOf(ana, 'another', address)).toBe(535);
  });

  it('allows ten guesses at an account from one network, also when a hundred come at once', async () => {
    const ana = await buildMailbox(app);
    const address = newAddress();
    const guess = (number: number) => codeOf(ana, `guess ${number}`, address);
    const codes = await Promise.all(Array.from({ length: 100 }, (_, number) => guess(number)));
    expect(codes.filter((code) => code === 535)).toHaveLength(10);
    expect(codes.filter((code) => code === 454)).toHaveLength(90);
  });

  it('allows thirty guesses at an account from a block of IPv6 networks, also when all come at once', async () => {
    const ana = await buildMailbox(app);
    const guesses = Array.from({ length: 60 }, (_, number) =>
      codeOf(ana, `guess ${number}`, `2001:db8:1:${number.toString(16)}::1`),
    );
    const codes = await Promise.all(guesses);
    expect(codes.filter((code) => code === 535)).toHaveLength(30);
    expect(codes.filter((code) => code === 454)).toHaveLength(30);
    expect(await codeOf(ana, ana.password, '2001:db8:1:ffff::1')).toBe(454);
    expect(await codeOf(ana, ana.password, '2001:db8:2:1::1')).toBe(235);
  });

  it('does not tell a right password from a wrong one after ten guesses, even if another network just used it', async () => {
    const ana = await buildMailbox(app);
    const [guesser, owner] = [newAddress(), newAddress()];
    for (let number = 0; number < 10; number += 1) await codeOf(ana, `guess ${number}`, guesser);
    expect(await codeOf(ana, ana.password, owner)).toBe(235);
    expect(await codeOf(ana, ana.password, guesser)).toBe(454);
    expect(await codeOf(ana, ana.password, owner)).toBe(235);
  });

  it('counts the same wrong password once, so that a forgotten program does not lock the others out', async () => {
    const ana = await buildMailbox(app);
    const address = newAddress();
    for (let attempt = 0; attempt < 15; attempt += 1) expect(await codeOf(ana, 'of last year', address)).toBe(535);
    expect(await codeOf(ana, ana.password, address)).toBe(235);
  });

  it('does not count a right password that two-factor refuses', async () => {
    const ana = await buildMailbox(app, { user: { twoFactorStatus: true } });
    const address = newAddress();
    for (let attempt = 0; attempt < 15; attempt += 1) expect(await codeOf(ana, ana.password, address)).toBe(534);
  });

  it('shuts out no colleague behind the address of a program that two-factor refuses', async () => {
    const ana = await buildMailbox(app, { user: { twoFactorStatus: true } });
    const ben = await buildMailbox(app);
    const address = newAddress();
    for (let attempt = 0; attempt < 300; attempt += 1) expect(await codeOf(ana, ana.password, address)).toBe(534);
    expect(await codeOf(ana, ana.password, address)).toBe(454);
    expect(await codeOf(ben, ben.password, address)).toBe(235);
  });

  it('shuts out no colleague behind the address of a program with a password of last year', async () => {
    const [ana, ben] = [await buildMailbox(app), await buildMailbox(app)];
    const address = newAddress();
    await app.redis.set(`rate:submission-network:${networkOf(address)}`, 295);
    for (let attempt = 0; attempt < 10; attempt += 1) expect(await codeOf(ana, 'of last year', address)).toBe(535);
    expect(await codeOf(ben, ben.password, address)).toBe(235);
    // So many repeats cost too many hashes, so that only they are refused
    await app.redis.set(`rate:submission-network-repeats:${networkOf(address)}`, 1000);
    expect(await codeOf(ana, 'of last year', address)).toBe(454);
    expect(await codeOf(ana, 'another', address)).toBe(535);
    expect(await codeOf(ben, ben.password, address)).toBe(235);
  });

  it('lets an app password in from a network where strangers guess', async () => {
    const ben = await buildMailbox(app);
    const password = await buildAppPassword(ben);
    const address = newAddress();
    const guess = (number: number) => {
      const credentials = { username: `a${number}@nowhere.test`, password: 'Summer2026!', address, sessionId: 's' };
      return logIn(app, credentials, refused);
    };
    // Few at once, since more would wait for a hash than may
    for (let number = 0; number < 300; number += 10)
      await Promise.all(Array.from({ length: 10 }, (_, index) => guess(number + index)));
    expect(await codeOf(ben, ben.password, address)).toBe(454);
    const hashes = await hashesDuring(async () => {
      expect(await codeOf(ben, password, address)).toBe(235);
      expect(await codeOf(ben, newAppPassword(), address)).toBe(454);
    });
    expect(hashes).toBe(0);
  });

  it('after a day of guesses from many networks lets the owner in from known ones, and tells them once', async () => {
    const ana = await buildMailbox(app);
    const [webApp, program, phone] = [newAddress(), newAddress(), newAddress()];
    await buildSession(ana, webApp);
    expect(await codeOf(ana, ana.password, program)).toBe(235);
    expect(await codeOf(ana, await buildAppPassword(ana), phone)).toBe(235);
    // Few at once, since more would wait for a hash than may
    for (let number = 0; number < 300; number += 10) {
      const guesses = Array.from({ length: 10 }, (_, index) =>
        codeOf(ana, `guess ${number + index}`, `10.${index}.${number / 10}.1`),
      );
      expect(new Set(await Promise.all(guesses))).toEqual(new Set([535]));
    }
    const hashes = await hashesDuring(async () => {
      expect(await codeOf(ana, ana.password, newAddress())).toBe(454);
      expect(await codeOf(ana, await buildAppPassword(ana), newAddress())).toBe(235);
    });
    expect(hashes).toBe(0);
    for (const known of [webApp, program, phone]) expect(await codeOf(ana, ana.password, known)).toBe(235);
    const notices = () => Delivery.count({ where: { recipient: ana.user.email } });
    await expect.poll(notices).toBe(1);
    expect(await codeOf(ana, 'mistyped', webApp)).toBe(535);
    expect(await app.redis.get(`rate:password-warning:${ana.user.id}`)).toBe('1');
    expect(await notices()).toBe(1);
  });

  it('counts an old password once in the day of its account, from whatever network it is tried', async () => {
    const ana = await buildMailbox(app);
    const counted = async () => {
      const keys = await app.redis.keys('rate:password-day:mail:*');
      const counts = await Promise.all(keys.map(async (key) => Number(await app.redis.get(key))));
      return counts.reduce((sum, count) => sum + count, 0);
    };
    const before = await counted();
    for (const address of [newAddress(), newAddress(), newAddress()]) {
      expect(await codeOf(ana, 'of last year', address)).toBe(535);
    }
    expect((await counted()) - before).toBe(1);
    expect(await codeOf(ana, 'another one', newAddress())).toBe(535);
    expect((await counted()) - before).toBe(2);
  });

  it('leaves what was refused in the audit trail of the account, and of the host where there is none', async () => {
    const ana = await buildMailbox(app, { user: { twoFactorStatus: true } });
    const [address, elsewhere] = [newAddress(), newAddress()];
    expect(await codeOf(ana, 'wrong', address)).toBe(535);
    expect(await codeOf(ana, ana.password, address)).toBe(534);
    const stranger = { username: 'nobody@nowhere.test', password: 'x', sessionId: 's' };
    await logIn(app, { ...stranger, address: elsewhere }, refused);
    await refused.flush();
    const events = await AuditEvent.findAll({ where: { action: 'mail-login:refused', address: [address, elsewhere] } });
    expect(events.every(({ actorId }) => actorId === null)).toBe(true);
    // What is refused within a few seconds may be one event or several
    const timesOf = (accountId: string | null) =>
      events.reduce((sum, { entityId, times }) => sum + (entityId === accountId ? times : 0), 0);
    expect([timesOf(String(ana.user.id)), timesOf(null)]).toEqual([2, 1]);
    expect(new Set(events.map(({ companyId }) => companyId))).toEqual(new Set([String(ana.company.id), null]));
  });
});
