import { EventEmitter } from 'node:events';
import { log } from '@selvage/core/log';
import type { Server, Socket } from 'socket.io';

/** A window sends two packets when it opens, and then one each 25 seconds. */
const mostPackets = 60;
const windowMs = 60_000;

/**
 * Closes connections that send far more packets than a window of the web app does. Each packet
 * takes some processing time, and a connection needs no login to send them. Pings and pongs of the
 * websocket itself (RFC 6455 5.5.2) count as well: each ping is answered.
 */
export function guardPackets(io: Server): void {
  io.engine.on('connection', (connection: Socket['conn']) => {
    const websocket: unknown = Reflect.get(connection.transport, 'socket');
    let left = mostPackets;
    let since = Date.now();
    const count = () => {
      if (Date.now() - since > windowMs) [left, since] = [mostPackets, Date.now()];
      left -= 1;
      if (left !== -1) return;
      log.info('a websocket was ended, which sent too many packets', { address: connection.remoteAddress });
      // Packets that have already arrived are ignored, and no more are read
      connection.close(true);
      // The websocket would still make an answer, and an error, for each ping that has arrived
      if (websocket instanceof EventEmitter) Object.assign(websocket, { pong: () => undefined });
      connection.request.socket.destroy();
    };
    connection.on('packet', count);
    // Browsers send neither, and engine.io has no event for them
    if (websocket instanceof EventEmitter) websocket.on('ping', count).on('pong', count);
  });
}
