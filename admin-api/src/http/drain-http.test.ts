import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../../tests/support/until.ts';
import { watchConnections } from './drain-http.ts';

const longMs = 60_000;
const get = 'GET / HTTP/1.1\r\nHost: h\r\n\r\n';
const upgrade = 'GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';

let server: Server;
let untilNoneOpen: (patienceMs: number) => Promise<void>;
let peers: Socket[];
let isLeaving: boolean;

beforeEach(async () => {
  peers = [];
  isLeaving = false;
  // A connection that is idle ends when its client or the test says so
  server = createServer({ keepAliveTimeout: 0 }, (_request, response) => {
    if (isLeaving) response.setHeader('Connection', 'close');
    response.end('kept');
  });
  untilNoneOpen = watchConnections(server);
  server.on('upgrade', (_request, socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
});

afterEach(() => {
  for (const peer of peers) peer.destroy();
  server.close();
});

/** Opens a connection; `heard` is what the server has said in it. */
async function open(): Promise<{ socket: Socket; heard: () => string }> {
  const accepted = once(server, 'connection');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  peers.push(socket);
  let heard = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    heard += text;
  });
  await accepted;
  return { socket, heard: () => heard };
}

describe('watchConnections', () => {
  it('waits until a connection that was kept has had its last answer', async () => {
    const { socket, heard } = await open();
    const answers = () => heard().split('kept').length - 1;
    socket.write(get);
    await until('the first request is answered', () => answers() === 1);
    let isDone = false;
    const done = untilNoneOpen(longMs).finally(() => {
      isDone = true;
    });
    isLeaving = true;
    const other = await open();
    other.socket.write(get);
    await until('another one is answered', () => other.heard().includes('kept'));
    expect(isDone).toBe(false);
    socket.write(get);
    await done;
    await until('the last request is answered', () => answers() === 2);
  });

  it('waits neither when there is none, nor for a websocket', async () => {
    const { socket, heard } = await open();
    socket.write(upgrade);
    await until('it is a websocket', () => heard().startsWith('HTTP/1.1 101'));
    await untilNoneOpen(longMs);
    expect(socket.destroyed).toBe(false);
  });

  it('waits no longer than it is told to', async () => {
    await open();
    await untilNoneOpen(50);
  });
});
