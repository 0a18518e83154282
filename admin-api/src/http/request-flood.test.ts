import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { httpSeconds } from '@selvage/core/metrics';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { until } from '../../../tests/support/until.ts';
import { startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;

beforeAll(async () => {
  // Thousands of refusals in the log would be most of the work
  server = await startTestServer({ environment: { TRUSTED_PROXIES: '1', LOG_LEVEL: 'warn' } });
});

const forged = `Bearer ${['{"alg":"HS256"}', '{"sub":"1"}', 'x'].map((part) => Buffer.from(part).toString('base64url')).join('.')}`;
const connections = 480;
const ahead = 5;

/** How many requests the process has answered. */
async function answered(): Promise<number> {
  const { values } = await httpSeconds.get();
  return values.reduce((sum, { metricName, value }) => sum + (metricName?.endsWith('_count') ? value : 0), 0);
}

interface Source {
  localAddress: string;
  headers: Record<string, string>;
}

interface Case {
  name: string;
  flooder: Source;
  honest: Source;
}

const cases: Case[] = [
  {
    name: 'a network',
    flooder: { localAddress: '127.0.0.1', headers: {} },
    honest: { localAddress: '127.0.0.2', headers: {} },
  },
  {
    name: 'a network behind a proxy',
    flooder: { localAddress: '127.0.0.1', headers: { 'X-Forwarded-For': '192.0.2.7' } },
    honest: { localAddress: '127.0.0.1', headers: { 'X-Forwarded-For': '198.51.100.7' } },
  },
];

describe.each(cases)('a flood of requests that $name sends and that are refused cheaply', ({ flooder, honest }) => {
  async function flood({ localAddress, headers }: Source): Promise<{ before: number; end: () => void }> {
    const lines = Object.entries({ Host: 'h', Authorization: forged, ...headers }).map((line) => line.join(': '));
    const one = `GET /api/v1/mail/labels/get/all HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
    const port = Number(new URL(server.url).port);
    const sockets = Array.from({ length: connections }, () => connect({ port, host: '127.0.0.1', localAddress }));
    for (const socket of sockets) socket.on('error', () => socket.destroy()).resume();
    for (const socket of sockets) socket.write('GET /health/live HTTP/1.1\r\nHost: h\r\n\r\n');
    // The server has taken in each of them: it takes one at a time, which would hold up the flood
    await Promise.all(sockets.map((socket) => once(socket, 'data')));
    const before = await answered();
    for (const socket of sockets) socket.write(one.repeat(ahead));
    const end = () => {
      for (const socket of sockets) socket.destroy();
    };
    return { before, end };
  }

  const agent = new Agent({ keepAlive: true });

  async function list(token: string, { localAddress, headers }: Source): Promise<string> {
    const asked = request(`${server.url}/api/v1/mail/labels/get/all?${randomUUID()}`, {
      localAddress,
      agent,
      headers: { Authorization: `Bearer ${token}`, ...headers },
    }).end();
    const [answer] = await once(asked, 'response');
    await text(answer);
    return String(answer.statusCode);
  }

  it('is served in turn with an honest call', async () => {
    const { user, password } = await buildMailbox(server.app);
    const { token } = await server.signIn(user.email, password);
    expect(await list(token, honest)).toBe('200');
    const { before, end } = await flood(flooder);
    expect(await list(token, honest)).toBe('200');
    const meanwhile = (await answered()) - before;
    await until('the flood is answered', async () => (await answered()) - before > connections * ahead);
    end();
    expect(meanwhile).toBeLessThan((connections * ahead) / 3);
  });
});
