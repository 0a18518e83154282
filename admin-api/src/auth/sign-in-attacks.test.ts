import { encodePassword } from '@selvage/core/contracts/fields';
import { AuditEvent } from '@selvage/core/models/audit-event';
import { inTransaction, systemContext } from '@selvage/core/context/context';
import { createLink } from '@selvage/core/directory/one-time-links';
import { Delivery } from '@selvage/core/models/delivery';
import { countWrongPassword, secondsUntilTry } from '@selvage/core/outbound/password-guesses';
import { blockOf, networkOf } from '@selvage/core/access/network-of';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { rules as accountRules } from '../account/rate-limits.ts';
import { startTestServer, type TestServer } from '../test-server.ts';
import { begin, codeOf, cookieOf, latestNotice, logIn, turnOn } from './test-two-factor.ts';
import { type Rule, rules } from './throttle.ts';

let server: TestServer;
let person: Mailbox;

beforeAll(async () => {
  server = await startTestServer({ environment: { TRUSTED_PROXIES: '1' } });
  person = await buildMailbox(server.app);
});

const from = (address: string) => ({ 'x-forwarded-for': address });

const keyOf = (rule: Rule, address: string) => `rate:${rule.name}:${networkOf(address)}`;

/** Counts as many attempts of a network as it may make. */
async function useUp(rule: Rule, address: string): Promise<void> {
  await server.app.redis.set(keyOf(rule, address), rule.limit, 'EX', rule.windowSeconds);
}

async function guess(email: string, password: string, headers: Record<string, string> = {}) {
  const body = { email, password: encodePassword(password), ...(await server.captcha()) };
  return await server.call('POST', '/user/login', { body, headers });
}

describe('guessing passwords', () => {
  it('shuts out the network that guesses at an account, and not its owner elsewhere', async () => {
    const target = await buildMailbox(server.app);
    for (let attempt = 0; attempt < rules.loginAccount.limit; attempt += 1) {
      await guess(target.user.email, 'guess', from('192.0.2.1'));
    }
    const neighbour = await logIn(server, target, from('192.0.2.200'));
    expect(neighbour.status).toBe(429);
    expect(Number(neighbour.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await logIn(server, target, from('198.51.100.1'))).body).toHaveProperty('refreshToken');
  });

  it('shuts out a block of IPv6 networks that guess at an account together, and not its owner elsewhere', async () => {
    const target = await buildMailbox(server.app);
    const networks = ['2001:db8:1:1::1', '2001:db8:1:2::1', '2001:db8:1:3::1'];
    const statuses: number[] = [];
    for (const network of networks) {
      for (let attempt = 0; attempt < rules.loginAccountBlock.limit / networks.length; attempt += 1)
        statuses.push((await guess(target.user.email, 'guess', from(network))).status);
    }
    expect(statuses).toEqual(Array(rules.loginAccountBlock.limit).fill(401));
    expect((await logIn(server, target, from('2001:db8:1:4::1'))).status).toBe(429);
    expect((await logIn(server, target, from('2001:db8:2:1::1'))).status).toBe(200);
  });

  it('from many networks for a day shuts out new networks alone, of an account or of none', async () => {
    const target = await buildMailbox(server.app);
    const home = '198.51.100.77';
    expect((await logIn(server, target, from(home))).status).toBe(200);
    const accounts = [
      { account: target.user.email, user: target.user },
      { account: 'invented@nowhere.test', user: null },
    ];
    const elsewhere = { ...systemContext(server.app), address: '192.0.2.9' };
    for (const one of accounts) {
      for (let count = 0; count < 299; count += 1) await countWrongPassword(elsewhere, { door: 'web', ...one });
      expect((await guess(one.account, 'guess', from('198.18.9.1'))).status).toBe(401);
      const refused = await guess(one.account, target.password, from('198.18.10.1'));
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(80_000);
    }
    expect((await logIn(server, target, from(home))).status).toBe(200);
    await expect.poll(() => Delivery.count({ where: { recipient: target.user.email } })).toBe(1);
    expect(await latestNotice(server, target.user.email)).toContain('Subject: Wrong passwords at your login');
    // The mail door counts by itself
    const atMailDoor = { door: 'mail', account: target.user.email, user: target.user } as const;
    expect(await secondsUntilTry(elsewhere, atMailDoor)).toBe(0);
    // A link proves the person, also in a new network
    const link = await inTransaction(elsewhere, (tx) =>
      createLink(tx, target.user, 'set_password', 'me@recovery.test'),
    );
    const password = encodePassword('seven green bottles');
    const body = { token: new URL(link).hash.slice(1), new_password: password, confirm_password: password };
    const headers = from('198.18.10.1');
    expect((await server.call('POST', '/user/set_password', { headers, body })).status).toBe(200);
    expect((await guess(target.user.email, 'seven green bottles', headers)).status).toBe(200);
  });

  it('forgets the guesses from a block once its owner logs in from there', async () => {
    const target = await buildMailbox(server.app);
    const key = `rate:${rules.loginAccountBlock.name}:${target.user.email}|${blockOf('2001:db8:3:1::1')}`;
    await guess(target.user.email, 'guess', from('2001:db8:3:1::1'));
    expect(await server.app.redis.get(key)).toBe('1');
    expect((await logIn(server, target, from('2001:db8:3:2::1'))).status).toBe(200);
    expect(await server.app.redis.get(key)).toBeNull();
  });

  it('stops one network that tries many accounts', async () => {
    await useUp(rules.loginAddress, '198.18.1.1');
    expect((await guess('somebody@nowhere.test', 'Summer2026!', from('198.18.1.2'))).status).toBe(429);
    expect((await logIn(server, person, from('198.51.100.2'))).status).toBe(200);
  });

  it.each([
    ['/user/login', { password: encodePassword('guess') }, '198.18.2'],
    ['/user/forgot_password', {}, '198.18.3'],
  ])('without a captcha at %s takes no room from a neighbour that solves it', async (path, others, network) => {
    const body = { email: person.user.email, ...others };
    const stranger = async () => (await server.call('POST', path, { body, headers: from(`${network}.1`) })).status;
    const statuses: number[] = [];
    for (let index = 0; index <= rules.wrongCaptcha.limit; index += 1) statuses.push(await stranger());
    expect(statuses).toEqual([...Array<number>(rules.wrongCaptcha.limit).fill(422), 429]);
    const neighbour = from(`${network}.2`);
    const asked = { email: person.user.email, ...(await server.captcha()) };
    expect((await server.call('POST', '/user/forgot_password', { body: asked, headers: neighbour })).status).toBe(200);
    expect((await logIn(server, person, neighbour)).status).toBe(200);
  });

  it.each([
    ['/user/login', rules.loginAddress, '198.18.4.1'],
    ['/user/forgot_password', accountRules.forgotAddress, '198.18.5.1'],
  ])(
    'that come too fast at %s use up no captcha, so that a browser can wait and repeat them',
    async (path, rule, at) => {
      const encoded = encodePassword(person.password);
      const body = { email: person.user.email, password: encoded, ...(await server.captcha()) };
      const send = async () => (await server.call('POST', path, { body, headers: from(at) })).status;
      await useUp(rule, at);
      expect([await send(), await send()]).toEqual([429, 429]);
      expect(await server.app.redis.get(keyOf(rule, at))).toBe(String(rule.limit));
      await server.app.redis.del(keyOf(rule, at));
      expect([await send(), await send()]).toEqual([200, 422]);
    },
  );

  it('does not count the logins of a whole office against it', async () => {
    const office = '203.0.113.80';
    const key = keyOf(rules.loginAddress, office);
    expect((await logIn(server, await buildMailbox(server.app), from(office))).status).toBe(200);
    expect(await server.app.redis.get(key)).toBe('0');
    await guess(person.user.email, 'guess', from(office));
    expect(await server.app.redis.get(key)).toBe('1');
  });

  it('does not count a login that could not be decided', async () => {
    const target = await buildMailbox(server.app);
    const at = '198.18.6.1';
    // The check fails, as it does while too many passwords wait for theirs
    await target.user.update({ passwordHash: 'unreadable' });
    expect((await logIn(server, target, from(at))).status).toBe(500);
    const counts = [
      keyOf(rules.loginAddress, at),
      `rate:${rules.loginAccount.name}:${target.user.email}|${networkOf(at)}`,
      `rate:${rules.loginAccountBlock.name}:${target.user.email}|${blockOf(at)}`,
    ];
    expect(await server.app.redis.mget(counts)).toEqual(['0', '0', '0']);
  });

  it('of one account, going on with the cookie of its waiting login, takes no room from its network', async () => {
    const secured = await buildMailbox(server.app);
    const at = '198.18.7.1';
    await turnOn(server, secured, from(at));
    const headers = { cookie: await begin(server, secured, from(at)), ...from(at) };
    const body = { email: secured.user.email, password: encodePassword('guess') };
    const send = async () => (await server.call('POST', '/user/login', { body, headers })).status;
    const statuses: number[] = [];
    for (let attempt = 0; attempt < rules.loginAccount.limit + 5; attempt += 1) statuses.push(await send());
    expect(statuses).toEqual([...Array<number>(rules.loginAccount.limit).fill(401), ...Array<number>(5).fill(429)]);
    expect(await server.app.redis.get(keyOf(rules.loginAddress, at))).toBe(String(rules.loginAccount.limit));
  });

  it('has a captcha for each of a large office that opens the login page at once, and an end', async () => {
    const headers = { 'X-Forwarded-For': '203.0.113.140' };
    const statuses: number[] = [];
    for (let n = 0; n < 13; n += 1) {
      const some = Array.from({ length: 50 }, () => server.call('GET', '/captcha', { headers }));
      statuses.push(...(await Promise.all(some)).map(({ status }) => status));
    }
    expect(statuses.slice(0, 500)).toEqual(Array.from({ length: 500 }, () => 200));
    expect(statuses.at(-1)).toBe(429);
  });

  it('records each refusal with the address', async () => {
    const target = await buildMailbox(server.app);
    await guess(target.user.email, 'guess', from('198.51.100.3'));
    const found = await AuditEvent.findOne({ where: { entityId: target.user.id, action: 'session:refused' } });
    expect(found).toMatchObject({ actorId: null, address: '198.51.100.3' });
  });

  it('records a right password for an account that may not be used', async () => {
    const dismissed = await buildMailbox(server.app, { user: { loginAllowed: false } });
    expect((await logIn(server, dismissed, from('198.51.100.6'))).body).toMatchObject({ code: 'account_inactive' });
    const found = await AuditEvent.findAll({ where: { entityId: dismissed.user.id } });
    expect(found).toMatchObject([{ action: 'session:refused', actorId: null, address: '198.51.100.6' }]);
  });

  it('takes as long for an unknown address', async () => {
    // Processor time of all threads: a password is hashed in one of its own
    const costOf = async (email: string) => {
      const body = { email, password: encodePassword('not the password'), ...(await server.captcha()) };
      const before = process.cpuUsage();
      const answer = await server.call('POST', '/user/login', { body, headers: from('198.51.100.4') });
      const { user, system } = process.cpuUsage(before);
      expect(answer.status).toBe(401);
      return user + system;
    };
    const [known, unknown]: [number[], number[]] = [[], []];
    for (let round = 0; round < 10; round += 1) {
      known.push(await costOf(person.user.email));
      unknown.push(await costOf(`nobody${round}@nowhere.test`));
    }
    // A collection of garbage only adds to a cost, so the lowest says the most.
    // Without the hash for an unknown address, the ratio is above five
    const ratio = Math.min(...known) / Math.min(...unknown);
    expect(ratio).toBeGreaterThan(1 / 2);
    expect(ratio).toBeLessThan(2);
  });
});

describe('hostile passwords', () => {
  it('are refused before any work is done for them', async () => {
    const key = `rate:${rules.loginAccount.name}:${person.user.email}|${networkOf('198.51.100.5')}`;
    await guess(person.user.email, 'a guess that is counted', from('198.51.100.5'));
    expect(Number(await server.app.redis.getdel(key))).toBeGreaterThan(0);
    const send = async (password: string) => {
      const body = { email: person.user.email, password, ...(await server.captcha()) };
      return await server.call('POST', '/user/login', { body, headers: from('198.51.100.5') });
    };
    expect((await send(Buffer.alloc(16_384, 'a').toString('base64'))).status).toBe(413);
    const long = await send('a'.repeat(16_000));
    expect(long.body.errors).toEqual({ password: 'Password is too long' });
    for (const password of [Buffer.from([0xff, 0xfe, 0x41]).toString('base64'), 'not base64!', '🙂']) {
      const answer = await send(password);
      expect(answer.status).toBe(422);
      expect(answer.body.errors).toHaveProperty('password');
    }
    expect(await server.app.redis.get(key)).toBeNull();
  });
});

describe('the cookie of a waiting login', () => {
  it('is for this browser, this site and a short time', async () => {
    const secured = await buildMailbox(server.app);
    await turnOn(server, secured);
    const [cookie = ''] = (await logIn(server, secured)).headers.getSetCookie();
    expect(cookie).toMatch(/; Path=\/api\/v1\/user; Max-Age=600; HttpOnly; SameSite=Strict$/);
  });

  it("is refused from another site's page, and from a sibling's", async () => {
    const secured = await buildMailbox(server.app);
    const { secret } = await turnOn(server, secured);
    const cookie = await begin(server, secured);
    const body = { otp: codeOf(secret) };
    const send = (headers: Record<string, string>) =>
      server.call('POST', '/user/verify_otp', { headers: { cookie, ...headers }, body });
    for (const headers of [
      { origin: 'https://evil.test' },
      { origin: 'null' },
      { origin: `http://sub.${new URL(server.url).host}` },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ] as Record<string, string>[]) {
      expect((await send(headers)).body).toMatchObject({ code: 'cross_site' });
    }
    const login = { email: secured.user.email, password: encodePassword(secured.password) };
    const headers = { cookie, origin: 'https://evil.test' };
    expect((await server.call('POST', '/user/login', { headers, body: login })).status).toBe(403);
    expect((await send({ origin: server.url, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
  });

  it('that an attacker planted opens nothing and skips nothing', async () => {
    const [attacker, victim] = [await buildMailbox(server.app), await buildMailbox(server.app)];
    const { secret } = await turnOn(server, attacker);
    await turnOn(server, victim);
    const planted = await begin(server, attacker);
    const body = { email: victim.user.email, password: encodePassword(victim.password) };
    const bare = await server.call('POST', '/user/login', { headers: { cookie: planted }, body });
    expect(bare.body.errors).toHaveProperty('captcha_text');
    const renewed = cookieOf(await logIn(server, victim, { cookie: planted }));
    expect(renewed).not.toBe(planted);
    const otp = codeOf(secret);
    const stolen = await server.call('POST', '/user/verify_otp', { headers: { cookie: renewed }, body: { otp } });
    expect(stolen.body).toMatchObject({ code: 'wrong_code' });
    const old = await server.call('POST', '/user/verify_otp', { headers: { cookie: planted }, body: { otp } });
    expect(old.body).toMatchObject({ code: 'sign_in_again' });
  });

  it('does not stand in for the password, nor for a token', async () => {
    const secured = await buildMailbox(server.app);
    await turnOn(server, secured);
    const cookie = await begin(server, secured);
    const body = { email: secured.user.email, password: encodePassword('not the password') };
    expect((await server.call('POST', '/user/login', { headers: { cookie }, body })).status).toBe(401);
    expect((await server.call('GET', '/user/info', { headers: { cookie } })).status).toBe(401);
  });
});

describe('sessions', () => {
  it('get a key of their own at each login', async () => {
    const key = async () => {
      const { token } = await server.signIn(person.user.email, person.password);
      return (JSON.parse(atob(token.split('.')[1] ?? '')) as { sid: string }).sid;
    };
    expect(await key()).not.toBe(await key());
  });

  it('of a person who has to change the password allow nothing else', async () => {
    const someone = await buildMailbox(server.app, { user: { passwordChangeRequired: true } });
    const { body } = await logIn(server, someone);
    expect(body).toMatchObject({ success: true, password_change_required: true });
    const token = String(body['token']);
    expect((await server.call('GET', '/user/info', { token })).status).toBe(200);
    const refused = await server.call('GET', '/user/passkeys', { token });
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({ code: 'password_change_required' });
  });
});
