import { once } from 'node:events';
import { createServer, request, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { until } from '../../../tests/support/until.ts';
import { readJson } from './read-json.ts';
import { beginInTurns } from './request-turns.ts';

const ends: (() => void)[] = [];
const [crowd, neighbour, other] = ['127.0.0.1', '127.0.0.2', '127.1.0.1'];

beforeEach(() => {
  // Requests give their turns away after a while. Here they do only when a test says so
  vi.useFakeTimers({ toFake: ['setTimeout'] });
});

afterEach(() => {
  for (const end of ends.splice(0)) end();
  vi.useRealTimers();
});

interface Begun {
  path: string;
  from: string | undefined;
  response: ServerResponse;
}

/** A server that notes what it begins. Paths under `/held` are answered by the test. */
async function open() {
  const begun: Begun[] = [];
  const server = createServer((request, response) => {
    const { url: path = '' } = request;
    begun.push({ path, from: request.socket.remoteAddress, response });
    if (path.startsWith('/body')) {
      readJson(request, 1000, () => undefined).then(
        (body) => response.end(JSON.stringify(body)),
        () => response.destroy(),
      );
    } else if (!path.startsWith('/held')) response.end('done');
  });
  server.on('upgrade', (request, socket) => {
    begun.push({ path: request.url ?? '', from: request.socket.remoteAddress, response: new ServerResponse(request) });
    socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n');
  });
  beginInTurns(server, ({ socket }) => socket.remoteAddress ?? '');
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const send = (from: string, path: string, head = ''): Socket => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from });
    socket.on('error', () => socket.destroy());
    ends.push(() => socket.destroy());
    socket.write(`GET ${path} HTTP/1.1\r\nHost: h\r\n${head}\r\n`);
    return socket;
  };
  /** The answer to a request that is sent in the ordinary way. */
  const ask = async (from: string, path: string): Promise<string> => {
    const asked = request({ port, host: '127.0.0.1', localAddress: from, path, agent: false }).end();
    const [answer] = await once(asked, 'response');
    return await text(answer);
  };
  const count = (path: string) => begun.filter((one) => one.path === path).length;
  return { begun, count, send, ask };
}

describe('requests of one network', () => {
  it('wait while 32 of it are in work, one of another network begins at once, and all are served in the end', async () => {
    const { begun, count, send, ask } = await open();
    for (let sent = 0; sent < 60; sent += 1) send(crowd, '/held');
    await until('the limit', () => count('/held') >= 32);
    expect(await ask(other, '/')).toBe('done');
    expect(count('/held')).toBe(32);
    for (let ended = 0; ended < 60; ended += 1) {
      await until('the next', () => begun.length > ended);
      begun.find(({ path, response }) => path === '/held' && !response.headersSent)?.response.end();
    }
    await until('all', () => count('/held') === 60);
  });

  it('are begun a few in one pass of the event loop, also when each is answered at once', async () => {
    const { begun, count, send } = await open();
    for (let sent = 0; sent < 40; sent += 1) send(crowd, '/held');
    await until('the limit', () => count('/held') === 32);
    for (let sent = 0; sent < 200; sent += 1) send(crowd, '/');
    await once(send(other, '/other'), 'data');
    const ofPasses: number[] = [];
    let before = begun.length;
    const note = () => {
      ofPasses.push(begun.length - before);
      before = begun.length;
      if (count('/') < 200) setImmediate(note);
    };
    setImmediate(note);
    for (const { path, response } of begun) if (path === '/held') response.end();
    await until('all', () => {
      for (const { path, response } of begun) if (path === '/held' && !response.headersSent) response.end();
      return count('/') === 200;
    });
    expect(Math.max(...ofPasses)).toBeLessThanOrEqual(8);
  });

  it('wait in turn with those of its other addresses', async () => {
    const { begun, count, send } = await open();
    for (let sent = 0; sent < 80; sent += 1) send(crowd, '/held');
    await until('the limit', () => count('/held') === 32);
    const late = send(neighbour, '/');
    await once(late, 'connect');
    // Behind it by the order of the connections: it has arrived when this one is answered
    await once(send(other, '/'), 'data');
    for (const { response } of begun.slice(0, 2)) response.end();
    await once(late, 'data');
    expect(count('/held')).toBeLessThanOrEqual(34);
  });

  it('hold no turn while their body or the end of their answer is on its way', async () => {
    const { begun, count, send, ask } = await open();
    const slow = Array.from({ length: 40 }, () => send(crowd, '/body', 'Content-Length: 7\r\n'));
    await until('all wait for their bodies', () => count('/body') === 40);
    for (let sent = 0; sent < 40; sent += 1) send(crowd, '/held');
    for (let answered = 0; answered < 40; answered += 1) {
      await until('the next', () => count('/held') > answered);
      begun
        .find(({ path, response }) => path === '/held' && !response.headersSent)
        ?.response.writeHead(200)
        .write('a');
    }
    expect(await ask(crowd, '/')).toBe('done');
    for (const socket of slow) socket.write('{"a":1}');
    const heard = await Promise.all(slow.map(async (socket) => String((await once(socket, 'data'))[0])));
    for (const answer of heard) expect(answer).toContain('{"a":1}');
  });

  it('give their turn to others after half a second', async () => {
    const { count, send } = await open();
    for (let sent = 0; sent < 40; sent += 1) send(crowd, '/held');
    await until('the limit', () => count('/held') === 32);
    await once(send(other, '/'), 'data');
    expect(count('/held')).toBe(32);
    vi.advanceTimersByTime(500);
    await until('the rest', () => count('/held') === 40);
  });

  it('whose client has gone are not begun, nor are websockets', async () => {
    const { begun, count, send } = await open();
    for (let sent = 0; sent < 32; sent += 1) send(crowd, '/held');
    await until('the limit', () => count('/held') === 32);
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';
    const gone = [send(crowd, '/gone'), send(crowd, '/gone-socket', upgrade)];
    const staying = [send(crowd, '/stays'), send(crowd, '/stays-socket', upgrade)];
    await once(send(other, '/'), 'data');
    for (const socket of gone) socket.resetAndDestroy();
    await once(send(other, '/'), 'data');
    const answers = Promise.all(staying.map((socket) => once(socket, 'data')));
    for (const { path, response } of begun) if (path === '/held') response.end();
    await answers;
    expect(begun.map(({ path }) => path).filter((path) => path.startsWith('/gone'))).toEqual([]);
  });
});
