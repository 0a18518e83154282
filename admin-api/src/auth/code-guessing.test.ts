import { networkOf } from '@selvage/core/access/network-of';
import { AuditEvent } from '@selvage/core/models/audit-event';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { startTestServer, type TestServer } from '../test-server.ts';
import { begin, codeOf, latestNotice, turnOn, wrongCodeOf } from './test-two-factor.ts';
import { rules } from './throttle.ts';

let server: TestServer;

beforeAll(async () => {
  // Lets a request say which network it comes from
  server = await startTestServer({ environment: { TRUSTED_PROXIES: '1' } });
});

const home = { 'x-forwarded-for': '198.51.100.7' };
const from = (network: number) => ({ 'x-forwarded-for': `203.0.${network}.9` });

const verify = (cookie: string, otp: string, headers: object) =>
  server.call('POST', '/user/verify_otp', { headers: { cookie, ...headers }, body: { otp } });

async function securedPerson() {
  const person = await buildMailbox(server.app);
  return { person, ...(await turnOn(server, person, home)) };
}

describe('guessing codes', () => {
  it('sends a login back to its password and captcha after five wrong ones, however often it is renewed', async () => {
    const { person, secret } = await securedPerson();
    let cookie = await begin(server, person, from(1));
    for (let attempt = 0; attempt < 5; attempt += 1) {
      expect((await verify(cookie, wrongCodeOf(secret), from(1))).body).toMatchObject({ code: 'wrong_code' });
      // A repeat with this cookie needs no captcha, and must not reset the count
      cookie = await begin(server, person, { cookie, ...from(1) });
    }
    expect((await verify(cookie, codeOf(secret), from(1))).body).toMatchObject({ code: 'sign_in_again' });
    expect((await verify(cookie, codeOf(secret), from(1))).body).toMatchObject({ code: 'sign_in_again' });
  });

  it('shuts out the network that guesses, and not the owner elsewhere', async () => {
    const { person, secret } = await securedPerson();
    const statuses: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const cookie = await begin(server, person, from(2));
      for (let attempt = 0; attempt < 4; attempt += 1) {
        statuses.push((await verify(cookie, wrongCodeOf(secret), from(2))).status);
      }
    }
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429]);
    expect((await verify(await begin(server, person, from(2)), codeOf(secret), from(2))).status).toBe(429);
    expect((await verify(await begin(server, person, home), codeOf(secret), home)).status).toBe(200);
  });

  it('of one account does not use up the room of other accounts in the network', async () => {
    const { person, secret } = await securedPerson();
    for (let round = 0; round < 14; round += 1) {
      const cookie = await begin(server, person, from(9));
      for (let attempt = 0; attempt < 5; attempt += 1) await verify(cookie, wrongCodeOf(secret), from(9));
    }
    const other = await securedPerson();
    const cookie = await begin(server, other.person, from(9));
    expect((await verify(cookie, codeOf(other.secret), from(9))).status).toBe(200);
  });

  it('tells the owner once that an attacker has the password, and records each refusal', async () => {
    const { person, secret } = await securedPerson();
    for (const network of [3, 4]) {
      const cookie = await begin(server, person, from(network));
      for (let attempt = 0; attempt < 3; attempt += 1) await verify(cookie, wrongCodeOf(secret), from(network));
    }
    const notice = await latestNotice(server, person.user.email);
    expect(notice).toContain('Subject: Wrong codes at your login');
    expect(notice).toContain('203.0.4.9');
    const where = { entityId: person.user.id, action: 'two-factor:refused', actorId: null };
    expect(await AuditEvent.count({ where })).toBe(6);
  });

  it('after a day of guesses from many networks allows known networks only, and recovery codes from all', async () => {
    const { person, secret, recoveryCodes } = await securedPerson();
    const key = `rate:${rules.codeAccountDay.name}:${person.user.id}`;
    await server.app.redis.set(key, rules.codeAccountDay.limit, 'EX', 600);
    const stranger = await begin(server, person, from(5));
    const refused = await verify(stranger, codeOf(secret), from(5));
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).not.toBeNull();
    expect((await verify(await begin(server, person, home), codeOf(secret), home)).status).toBe(200);
    const body = { recovery_code: recoveryCodes[0] };
    const headers = { cookie: stranger, ...from(5) };
    expect((await server.call('POST', '/user/verify_otp', { headers, body })).status).toBe(200);
  });

  it('does not count a code that could not be decided, and forgets no wrong one with it', async () => {
    const { person, secret } = await securedPerson();
    const cookie = await begin(server, person, from(10));
    await verify(cookie, wrongCodeOf(secret), from(10));
    const network = networkOf(from(10)['x-forwarded-for']);
    const counts = [
      `rate:${rules.codeAddress.name}:${network}`,
      `rate:${rules.codeNetwork.name}:${person.user.id}|${network}`,
      `rate:${rules.codeNetworkDay.name}:${person.user.id}|${network}`,
      `rate:${rules.codeAccountDay.name}:${person.user.id}`,
    ];
    expect(await server.app.redis.mget(counts)).toEqual(['1', '1', '1', '1']);
    await person.user.update({ twoFactorSecret: 'unreadable' });
    expect((await verify(cookie, codeOf(secret), from(10))).status).toBe(500);
    expect(await server.app.redis.mget(counts)).toEqual(['1', '1', '1', '1']);
  });

  it('holds when all guesses come at once', async () => {
    const { person, secret } = await securedPerson();
    const cookie = await begin(server, person, from(6));
    const guess = () => verify(cookie, wrongCodeOf(secret), from(6));
    const answers = await Promise.all(Array.from({ length: 20 }, guess));
    expect(answers.filter(({ body }) => body['code'] === 'wrong_code').length).toBeLessThanOrEqual(5);
  });
});
