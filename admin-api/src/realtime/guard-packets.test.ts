import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { until } from '../../../tests/support/until.ts';
import { startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

const opcodes = { continuation: 0, text: 1, close: 8, ping: 9, pong: 10 };

/** A frame of a client (RFC 6455 5.2), with a mask of zeros. */
function frame(kind: keyof typeof opcodes, payload = '', isLast = true): Buffer {
  const length = payload.length;
  const head = Buffer.from([(isLast ? 0x80 : 0) | opcodes[kind], 0x80 | Math.min(length, 126)]);
  const extended = Buffer.from(length < 126 ? [] : [length >> 8, length & 0xff]);
  return Buffer.concat([head, extended, Buffer.alloc(4), Buffer.from(payload)]);
}

const times = (count: number, part: Buffer) => Buffer.concat(Array.from({ length: count }, () => part));

/** A connection that may send any bytes. It does not agree when the server closes the websocket. */
class RawConnection {
  readonly socket: Socket;
  received: Buffer;

  constructor(socket: Socket, head: Buffer) {
    this.socket = socket;
    this.received = head;
    socket.on('error', () => socket.destroy());
    socket.on('data', (bytes: Buffer) => {
      this.received = Buffer.concat([this.received, bytes]);
    });
  }

  /** Waits for the close frame of the server, and returns its code (RFC 6455 7.4). */
  async closeCode(): Promise<number> {
    const start = () => this.received.indexOf('8802', 'hex');
    await until('a close frame', () => start() >= 0);
    return this.received.readUInt16BE(start() + 2);
  }

  /** Waits for the end. It comes long before the 30 seconds that a peer has to agree to a close. */
  async ended(): Promise<void> {
    await until('the connection is closed', () => this.socket.destroyed, 20_000);
  }
}

async function open(query = ''): Promise<RawConnection> {
  const headers = {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': Buffer.alloc(16).toString('base64'),
  };
  const asked = request(`${server.url}/socket.io/?EIO=4&transport=websocket${query}`, { headers });
  asked.end();
  const answered = Promise.race([once(asked, 'upgrade'), once(asked, 'response')]);
  const [answer, socket, head] = (await answered) as [IncomingMessage, Socket?, Buffer?];
  if (socket === undefined || head === undefined) {
    asked.destroy();
    throw new Error(`refused with ${answer.statusCode}`);
  }
  return new RawConnection(socket, head);
}

describe('before its login, a websocket', () => {
  it('may send a message in a few parts only', async () => {
    const connection = await open();
    connection.socket.write(Buffer.concat([frame('text', '', false), times(16_382, frame('continuation', '', false))]));
    expect(await connection.closeCode()).toBe(1008);
    connection.socket.destroy();
  });

  it('may not send a long message', async () => {
    const connection = await open();
    connection.socket.write(frame('text', `40/x,${'1'.repeat(16_000)}`));
    expect(await connection.closeCode()).toBe(1009);
    connection.socket.destroy();
  });

  it('may send a few messages only', async () => {
    const connection = await open();
    connection.socket.write(times(10, frame('text', '40/x,')));
    await connection.ended();
    expect(connection.received.toString().split('Invalid namespace').length - 1).toBe(3);
  });

  it('may not go on over another websocket, which would not be counted', async () => {
    const first = await open();
    const [, sid] = await until('its id', () => /"sid":"([^"]+)"/.exec(first.received.toString()));
    await expect(open(`&sid=${sid}`)).rejects.toThrow('refused with 400');
    first.socket.destroy();
  });

  it('gets an answer to a ping, in which its bytes come back', async () => {
    const connection = await open();
    connection.socket.write(frame('ping', 'wool'));
    await until('a pong', () => connection.received.includes(Buffer.from('\x8a\x04wool', 'latin1')));
    connection.socket.destroy();
  });

  it('may send as many again a minute later, also when the clock is set back', async () => {
    const connection = await open();
    const pings = async (count: number, inAll: number) => {
      connection.socket.write(times(count, frame('ping', 'wool')));
      const pongs = () => connection.received.toString('latin1').split('\x8a\x04wool').length - 1;
      await until(`${inAll} pongs`, () => pongs() === inAll);
    };
    await pings(3, 3);
    const [real, wallClock] = [performance.now.bind(performance), Date.now()];
    onTestFinished(() => void vi.useRealTimers().restoreAllMocks());
    vi.spyOn(performance, 'now').mockImplementation(() => real() + 61_000);
    vi.useFakeTimers({ toFake: ['Date'], now: wallClock - 3_600_000 });
    await pings(3, 6);
    connection.socket.destroy();
  });

  it.each(['ping', 'pong'] as const)('is ended when it sends thousands of a %s', async (kind) => {
    const connection = await open();
    const events = vi.spyOn(WebSocket.prototype, 'emit');
    const countOf = (name: string) => events.mock.calls.filter(([event]) => event === name).length;
    connection.socket.write(times(5000, frame(kind)));
    await connection.ended();
    expect(connection.received.length).toBeLessThan(1000);
    await until('the websocket is closed', () => countOf('close') === 1);
    expect(countOf(kind)).toBeLessThan(100);
    events.mockRestore();
  });

  it('is ended when it sends on although the server has begun to close it', async () => {
    const connection = await open();
    // Engine.io can't read an empty message
    connection.socket.write(frame('text'));
    await until('a close frame', () => connection.received.includes(Buffer.from('8800', 'hex')));
    connection.socket.write(times(5000, frame('text')));
    await connection.ended();
  });
});

describe('after its login, a websocket', () => {
  it('may send more messages, and a ping among them is answered', async () => {
    const { user, password } = await buildMailbox(server.app);
    const { token } = await server.signIn(user.email, password);
    const connection = await open();
    connection.socket.write(frame('text', `40${JSON.stringify({ token })}`));
    await until('the login', () => connection.received.includes('42["hello"'));
    for (let round = 0; round < 20; round += 1) {
      connection.socket.write(frame('text', `42${round}["join_user","${user.email}"]`));
    }
    connection.socket.write(frame('ping', 'wool'));
    await until('a pong', () => connection.received.includes(Buffer.from('\x8a\x04wool', 'latin1')));
    expect(connection.received.toString().split('"success":true').length - 1).toBe(20);
    connection.socket.destroy();
  });
});
