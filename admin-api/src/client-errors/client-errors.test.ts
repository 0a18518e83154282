import { maxClientErrorBytes } from '@selvage/core/contracts/client-errors';
import { log } from '@selvage/core/log';
import { clientErrors } from '@selvage/core/metrics';
import { afterEach, beforeAll, describe, expect, it, type MockInstance, vi } from 'vitest';
import { startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;
let networks = 0;

beforeAll(async () => {
  server = await startTestServer({ environment: { TRUSTED_PROXIES: '1' } });
});
afterEach(() => vi.restoreAllMocks());

const address = () => `198.51.${(networks += 1)}.1`;
const report = (body: unknown, from = address(), type = 'application/json') =>
  server.call('POST', '/client-errors', { body, headers: { 'x-forwarded-for': from, 'content-type': type } });
const failure = { message: 'x is not a function', path: '/dashboard/inbox', version: 'index-abc' };

/** The lines about failures in browsers, and no others that the process writes meanwhile. */
const reportsIn = (lines: MockInstance<typeof log.warn>) =>
  lines.mock.calls.filter(([text]) => text === 'the web app failed in a browser');

async function counted(): Promise<number> {
  return (await clientErrors.get()).values[0]?.value ?? 0;
}

describe('a failure in a browser', () => {
  it('leaves one line in the log and counts', async () => {
    const lines = vi.spyOn(log, 'warn');
    const before = await counted();
    const stack = 'TypeError: x is not a function\n    at f (https://mail.example.org/assets/index-abc.js:1:20)';
    const answer = await server.call('POST', '/client-errors', {
      body: { ...failure, stack },
      headers: { 'x-forwarded-for': address(), 'user-agent': 'Browser/1' },
    });
    expect(answer.status).toBe(200);
    expect(reportsIn(lines)).toEqual([
      [
        'the web app failed in a browser',
        {
          clientMessage: failure.message,
          clientStack: 'TypeError: x is not a function     at f (https://mail.example.org/assets/index-abc.js:1:20)',
          clientPath: failure.path,
          clientVersion: failure.version,
          userAgent: 'Browser/1',
        },
      ],
    ]);
    expect(await counted()).toBe(before + 1);
  });

  it('cannot write lines or secrets into the log', async () => {
    const lines = vi.spyOn(log, 'warn');
    const hostile = 'a\r\n{"level":"error","msg":"forged"}\u0000\u001b[31m\u2028\u202egnp.exe\ud800';
    await report({
      message: `${hostile} at https://mail.example.org/auth/set-password#secret and https://x.test/?code=secret`,
      stack: hostile,
      path: '/auth/set-password?a=secret\n#secret',
      version: hostile,
    });
    const [, fields = {}] = reportsIn(lines)[0] ?? [];
    const values = Object.values(fields);
    expect(values).toHaveLength(5);
    for (const value of values) expect(value).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u2028]|secret/u);
    expect(fields['clientPath']).toBe('/auth/set-password');
    expect(fields['clientMessage']).toContain('https://mail.example.org/auth/set-password and https://x.test/');
  });

  it('is shortened, and refused when it is larger than any report', async () => {
    const lines = vi.spyOn(log, 'warn');
    expect((await report({ ...failure, message: 'm'.repeat(1000), stack: 's'.repeat(2800) })).status).toBe(200);
    const [, fields = {}] = reportsIn(lines)[0] ?? [];
    expect(fields['clientMessage']).toBe('m'.repeat(500));
    const large = await report({ ...failure, stack: 's'.repeat(maxClientErrorBytes) });
    expect([large.status, large.body['code']]).toEqual([413, 'too_large']);
    expect(reportsIn(lines)).toHaveLength(1);
  });

  it('that is not a report gets a clear answer', async () => {
    const lines = vi.spyOn(log, 'warn');
    const statuses = [
      await report('{"message":'),
      await report('message=x', address(), 'text/plain'),
      await report({ ...failure, message: { toString: 1 } }),
      await report([failure]),
      await report('null'),
      await server.call('POST', '/client-errors', { headers: { 'x-forwarded-for': address() } }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([400, 415, 422, 422, 400, 422]);
    expect(reportsIn(lines)).toEqual([]);
  });

  it('is limited for one network, and for all networks together', async () => {
    const lines = vi.spyOn(log, 'warn');
    const [flooder, other] = [address(), address()];
    const answers = [];
    for (let count = 0; count < 30; count += 1) answers.push(await report(failure, flooder));
    expect(answers.map(({ status }) => status)).toEqual([...Array(20).fill(200), ...Array(10).fill(429)]);
    expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(reportsIn(lines)).toHaveLength(20);
    expect((await report(failure, other)).status).toBe(200);
    await server.app.redis.set('rate:client-errors-all:host', 300, 'EX', 60);
    expect((await report(failure)).status).toBe(429);
    await server.app.redis.del('rate:client-errors-all:host');
  });
});
