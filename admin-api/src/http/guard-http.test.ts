import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { saveDraft } from '@selvage/core/contracts/drafts';
import { httpSeconds } from '@selvage/core/metrics';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { Flood } from '../../../tests/support/flood.ts';
import { until } from '../../../tests/support/until.ts';
import { startTestServer, type TestServer } from '../test-server.ts';

let direct: TestServer;
let proxied: TestServer;

/** Long enough for all that is looked at while silent connections are there. */
const silentSeconds = 12;

beforeAll(async () => {
  const environment = { HTTP_CONNECTIONS_PER_ADDRESS: '20', FIRST_COMMAND_SECONDS: String(silentSeconds) };
  direct = await startTestServer({ environment });
  proxied = await startTestServer({ environment: { ...environment, TRUSTED_PROXIES: '1' } });
});

const portOf = ({ url }: TestServer) => Number(new URL(url).port);

/** Status of a small request from an address; 0 if there was no answer. */
async function ask(server: TestServer, from: string, headers = ''): Promise<{ status: number }> {
  const socket = connect({ port: portOf(server), host: '127.0.0.1', localAddress: from });
  socket.on('error', () => socket.destroy());
  socket.write(`GET /health/live HTTP/1.1\r\nHost: h\r\nConnection: close\r\n${headers}\r\n`);
  const text = await new Promise<string>((resolve) => {
    let heard = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      heard += chunk;
    });
    socket.once('close', () => resolve(heard));
  });
  return { status: Number(text.slice(9, 12)) };
}

/** A request whose body never comes, from behind a proxy. */
function hang(server: TestServer, client: string): Socket {
  const socket = connect({ port: portOf(server), host: '127.0.0.1' });
  socket.on('error', () => socket.destroy());
  const head = `POST /api/v1/user/login HTTP/1.1\r\nHost: h\r\nX-Forwarded-For: ${client}\r\n`;
  socket.write(`${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`);
  return socket;
}

/** Asks for a websocket from behind a proxy, and resets the connection without hearing more. */
async function resetUpgrade(server: TestServer, client: string, path: string): Promise<void> {
  const socket = connect({ port: portOf(server), host: '127.0.0.1' });
  await once(socket, 'connect');
  const head = `GET ${path} HTTP/1.1\r\nHost: h\r\nX-Forwarded-For: ${client}\r\n`;
  socket.write(`${head}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
  socket.resetAndDestroy();
  await once(socket, 'close');
}

describe('the HTTP port', () => {
  it('answers the others when one address opens a thousand connections', async () => {
    const flood = await Flood.start(portOf(direct), 1000, '127.0.0.2');
    expect((await ask(direct, '127.0.0.1')).status).toBe(200);
    // It was answered beside the silent ones and did not wait for their end
    expect(flood.open).toBeGreaterThan(0);
    await until('all but twenty are gone', () => flood.open <= 20);
    expect((await ask(direct, '127.0.0.2')).status).toBe(503);
    await until('the silent ones are gone', () => flood.open === 0);
    expect((await ask(direct, '127.0.0.2')).status).toBe(200);
  });

  it('counts clients and not the proxy that it trusts', async () => {
    const hanging = Array.from({ length: 30 }, () => hang(proxied, '192.0.2.7'));
    await until(
      'the limit',
      async () => (await ask(proxied, '127.0.0.1', 'X-Forwarded-For: 192.0.2.7\r\n')).status === 503,
    );
    for (let client = 0; client < 30; client += 1) {
      const { status } = await ask(proxied, '127.0.0.1', `X-Forwarded-For: 192.0.2.7, 198.51.${client}.1\r\n`);
      expect(status).toBe(200);
    }
    for (const socket of hanging) socket.destroy();
    await until('room', async () => (await ask(proxied, '127.0.0.1', 'X-Forwarded-For: 192.0.2.7\r\n')).status === 200);
  });

  it('outlives clients that ask for a websocket and are gone before the answer', async () => {
    const errors: unknown[] = [];
    const note = (error: unknown) => errors.push(error);
    process.on('uncaughtException', note);
    const hanging = Array.from({ length: 30 }, () => hang(proxied, '192.0.2.8'));
    await until(
      'the limit',
      async () => (await ask(proxied, '127.0.0.1', 'X-Forwarded-For: 192.0.2.8\r\n')).status === 503,
    );
    // The first address has no room, the second has; and on one path there is a websocket
    for (const client of ['192.0.2.8', '192.0.2.9']) {
      for (const path of ['/socket.io/?EIO=4&transport=websocket', '/elsewhere']) {
        for (let times = 0; times < 50; times += 1) await resetUpgrade(proxied, client, path);
      }
    }
    for (const socket of hanging) socket.destroy();
    await until('room', async () => (await ask(proxied, '127.0.0.1', 'X-Forwarded-For: 192.0.2.8\r\n')).status === 200);
    process.off('uncaughtException', note);
    expect(errors).toEqual([]);
  });
});

describe('a request that offers another protocol', () => {
  it('is answered as any other, also when its connection is used again', async () => {
    for (const server of [direct, proxied]) {
      const socket = connect({ port: portOf(server), host: '127.0.0.1' });
      let heard = '';
      socket.setEncoding('latin1').on('data', (chunk: string) => {
        heard += chunk;
      });
      const statuses = () => [...heard.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status);
      const offer = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQ';
      for (const count of [1, 2]) {
        socket.write(`GET /health/live HTTP/1.1\r\nHost: h\r\n${offer}\r\n\r\n`);
        await until('the answer', () => statuses().length === count);
      }
      expect(statuses()).toEqual(['200', '200']);
      socket.destroy();
    }
  });
});

describe('requests that are sent before the ones before them are answered', () => {
  /** Sends small requests at once; answers the status of each until the connection ends. */
  async function pipeline(server: TestServer, count: number): Promise<string[]> {
    const socket = connect({ port: portOf(server), host: '127.0.0.1', localAddress: '127.0.0.6' });
    socket.on('error', () => socket.destroy());
    const one = 'GET /health/live HTTP/1.1\r\nHost: h\r\n';
    socket.write(`${`${one}\r\n`.repeat(count - 1)}${one}Connection: close\r\n\r\n`);
    let heard = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      heard += chunk;
    });
    await new Promise((resolve) => socket.once('close', resolve));
    return [...heard.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status = '']) => status);
  }

  it('are answered in their order while they are few', async () => {
    for (const server of [direct, proxied]) expect(await pipeline(server, 5)).toEqual(Array(5).fill('200'));
  });

  it('end their connection when they are many, and none of them is begun beyond the limit', async () => {
    for (const server of [direct, proxied]) {
      const before = await begun();
      expect((await pipeline(server, 20_000)).length).toBeLessThanOrEqual(5);
      expect((await begun()) - before).toBeLessThanOrEqual(5);
      expect((await ask(server, '127.0.0.6')).status).toBe(200);
    }
  });

  /** How many requests the server has answered, also where the client has not read it. */
  async function begun(): Promise<number> {
    const { values } = await httpSeconds.get();
    return values.reduce((sum, { metricName, value }) => sum + (metricName?.endsWith('_count') ? value : 0), 0);
  }
});

describe('the memory for messages', () => {
  it('is shared: a person who uses up their part hears 503 and when to come again, and another one is served', async () => {
    const { memory } = proxied.app;
    const [person, other] = [await buildMailbox(proxied.app), await buildMailbox(proxied.app)];
    const save = async ({ user, password }: Mailbox) => {
      const { token } = await proxied.signIn(user.email, password);
      return await proxied.call('POST', saveDraft.path, { token, body: { body: 'x'.repeat(100_000) } });
    };
    const share = memory.open(`user:${person.user.id}`);
    for (let taken = 0; share?.grow(1_048_576); taken += 1) expect(taken).toBeLessThan(1000);
    const refused = await save(person);
    expect(refused).toMatchObject({ status: 503, body: { code: 'too_much_at_once' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await save(other)).status).toBe(200);
    share?.release();
    expect((await save(person)).status).toBe(200);
    expect(memory.bytes).toBe(0);
  });

  it('is not taken by callers without a login, whatever they announce', async () => {
    const { memory } = direct.app;
    const taking = vi.spyOn(memory, 'open');
    const announced = ['Content-Length: 16384', 'Transfer-Encoding: chunked', 'Content-Length: 1048576'];
    const begin = (line: string) => {
      const socket = connect({ port: portOf(direct), host: '127.0.0.1' });
      let heard = '';
      socket.setEncoding('latin1').on('data', (chunk: string) => {
        heard += chunk;
      });
      const head = 'POST /api/v1/user/login HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n';
      socket.write(`${head}${line}\r\n\r\n`);
      return { socket, status: () => Number(heard.slice(9, 12)) };
    };
    const [known, chunked, long] = announced.map(begin);
    await until('the long one is refused', () => long?.status() === 413);
    known?.socket.write('{}'.padEnd(16_384));
    chunked?.socket.write(`10\r\n${'{}'.padEnd(16)}\r\n0\r\n\r\n`);
    await until('the others are answered', () => known?.status() === 422 && chunked?.status() === 422);
    expect(taking).not.toHaveBeenCalled();
    for (const one of [known, chunked, long]) one?.socket.destroy();
  });
});
