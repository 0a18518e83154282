import { encodePassword } from '@selvage/core/contracts/fields';
import { networkOf } from '@selvage/core/access/network-of';
import { AuditEvent } from '@selvage/core/models/audit-event';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { signInAs } from '../test-people.ts';
import { startTestServer, type TestServer } from '../test-server.ts';
import { rules } from './throttle.ts';

let server: TestServer;

beforeAll(async () => {
  // Lets a request say which network it comes from
  server = await startTestServer({ environment: { TRUSTED_PROXIES: '1' } });
});

describe('the password that a logged-in person gives again', () => {
  it('is counted by network, and for the account over all networks', async () => {
    const { token, password } = await signInAs(server, await buildMailbox(server.app));
    const give = async (text: string, network: number): Promise<number> => {
      const { status } = await server.call('POST', '/user/app_passwords', {
        token,
        body: { app_name: 'Phone', password: encodePassword(text) },
        headers: { 'x-forwarded-for': `198.51.${network}.7` },
      });
      return status;
    };
    const wrong = async (network: number, times: number): Promise<number[]> => {
      const statuses: number[] = [];
      for (let n = 0; n < times; n += 1) statuses.push(await give('not the password', network));
      return statuses;
    };
    expect(await wrong(1, 11)).toEqual([...Array<number>(10).fill(422), 429]);
    expect(await give(password, 2)).toBe(200);
    expect(await wrong(2, 10)).toEqual(Array(10).fill(422));
    // The try that the network's limit refused did not reach the account's
    expect(await wrong(3, 10)).toEqual(Array(10).fill(422));
    expect(await wrong(4, 1)).toEqual([429]);
    expect(await give(password, 5)).toBe(429);
  });

  it('is not counted when it could not be decided', async () => {
    const { token, user, password } = await signInAs(server, await buildMailbox(server.app));
    // The check fails, as it does while too many passwords wait for theirs
    await user.update({ passwordHash: 'unreadable' });
    const headers = { 'x-forwarded-for': '198.51.98.7' };
    const body = { app_name: 'Phone', password: encodePassword(password) };
    expect((await server.call('POST', '/user/app_passwords', { token, body, headers })).status).toBe(500);
    const counts = [
      `rate:${rules.passwordAgain.name}:${user.id}|${networkOf('198.51.98.7')}`,
      `rate:${rules.passwordAgainAccount.name}:${user.id}`,
    ];
    expect(await server.app.redis.mget(counts)).toEqual(['0', '0']);
  });

  it('leaves an event when it is wrong', async () => {
    const { token, user, password } = await signInAs(server, await buildMailbox(server.app));
    for (const text of ['not the password', password]) {
      const body = { app_name: 'Phone', password: encodePassword(text) };
      await server.call('POST', '/user/app_passwords', { token, body, headers: { 'x-forwarded-for': '198.51.99.7' } });
    }
    const events = await AuditEvent.findAll({ where: { entityId: user.id, action: 'password:refused' } });
    expect(events).toMatchObject([{ actorId: user.id, address: '198.51.99.7' }]);
  });
});
