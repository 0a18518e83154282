import type { IncomingMessage } from 'node:http';
import { Writable } from 'node:stream';
import { assertLibrary } from '@selvage/core/assert-library';
import { log } from '@selvage/core/log';
import type { Server, Socket } from 'socket.io';
import * as ws from 'ws';
import { type ServerOptions, WebSocket, WebSocketServer } from 'ws';

const receiverClass: unknown = Reflect.get(ws, 'Receiver');
const receiver: unknown = typeof receiverClass === 'function' ? Reflect.construct(receiverClass, []) : null;
assertLibrary({
  name: 'ws',
  version: '8.21.3',
  from: import.meta.url,
  members: Object.fromEntries(
    ['_buffers', '_bufferedBytes', '_write'].map((name) => [
      `Receiver.${name}`,
      receiver instanceof Writable && Reflect.has(receiver, name),
    ]),
  ),
});

/** A window sends two packets when it opens, and then one each 25 seconds. */
const mostPackets = 60;
/** One asks for admission. While a busy server takes its time, a window answers a heartbeat. */
const mostBeforeAdmission = 3;
const windowMs = 60_000;

/**
 * The longest message in bytes. A token has less than 400, and the longest address less than 1000.
 * The parser of socket.io reads a number digit by digit, so a message of digits is slow to read.
 */
export const longestMessage = 2048;

/** Limits what the frames of a connection cost before `guardPackets` can count them. */
export class GuardedWebSocketServer extends WebSocketServer {
  constructor(options: ServerOptions) {
    super({
      ...options,
      // A part of a message is no event, so it can't be counted. Browsers send short messages whole
      maxFragments: 4,
      // Each event of a connection gets a turn of its own, so that a flood of them in one chunk of
      // data does not hold up all other work
      allowSynchronousEvents: false,
      // `guardPackets` answers pings within its limit
      autoPong: false,
    });
  }

  /**
   * Refuses a websocket that would take over another connection. Engine.io lets one do so for
   * clients that begin with long polling. `guardPackets` would not count its packets.
   */
  override shouldHandle(request: IncomingMessage): boolean {
    return !new URL(request.url ?? '/', 'http://host').searchParams.has('sid');
  }
}

/**
 * Closes connections that send far more packets than a window of the web app does. Each packet
 * takes some processing time, and a connection needs no login to send them. Pings and pongs of the
 * websocket itself (RFC 6455 5.5.2) count as well. So do the packets after the server has begun to
 * close the connection: the websocket reads on until its peer agrees.
 */
export function guardPackets(io: Server): void {
  const admitted = new WeakSet<Socket['conn']>();
  io.on('connection', ({ conn }) => void admitted.add(conn));
  io.engine.on('connection', (connection: Socket['conn']) => {
    const websocket: unknown = Reflect.get(connection.transport, 'socket');
    if (!(websocket instanceof WebSocket)) {
      connection.close(true);
      return;
    }
    let sent = 0;
    let since = performance.now();
    const count = () => {
      if (performance.now() - since > windowMs) [sent, since] = [0, performance.now()];
      sent += 1;
      if (sent <= (admitted.has(connection) ? mostPackets : mostBeforeAdmission)) return;
      websocket.off('message', count).off('ping', answer).off('pong', count);
      log.info('a websocket was ended, which sent too many packets', { address: connection.remoteAddress });
      connection.close(true);
      endUnread(websocket);
    };
    const answer = (data: Buffer) => {
      count();
      if (websocket.readyState === WebSocket.OPEN) websocket.pong(data);
    };
    // Before the listener of engine.io, which reads the message
    websocket.prependListener('message', count);
    websocket.on('ping', answer).on('pong', count);
  });
}

/**
 * Ends a websocket at once. `terminate` alone would still read each frame of the data that has
 * arrived, and that may be 20,000 of them.
 */
function endUnread(websocket: WebSocket): void {
  const receiver: unknown = Reflect.get(websocket, '_receiver');
  if (receiver instanceof Writable) {
    const ignore: Writable['_write'] = (_chunk, _encoding, done) => done();
    Object.assign(receiver, { _buffers: [], _bufferedBytes: 0, _write: ignore });
  }
  websocket.terminate();
}
