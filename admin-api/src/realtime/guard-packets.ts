import { log } from '@selvage/core/log';
import type { Server, Socket } from 'socket.io';

/** A window sends two packets when it opens, and then one each 25 seconds. */
const mostPackets = 60;
const windowMs = 60_000;

/**
 * Closes connections that send far more packets than a window of the web app does. Each packet
 * takes some processing time, and a connection needs no login to send them.
 */
export function guardPackets(io: Server): void {
  io.engine.on('connection', (connection: Socket['conn']) => {
    let left = mostPackets;
    let since = Date.now();
    connection.on('packet', () => {
      if (Date.now() - since > windowMs) [left, since] = [mostPackets, Date.now()];
      left -= 1;
      if (left !== -1) return;
      log.info('a websocket was ended, which sent too many packets', { address: connection.remoteAddress });
      // Packets that have already arrived are ignored, and no more are read
      connection.close(true);
      connection.request.socket.destroy();
    });
  });
}
