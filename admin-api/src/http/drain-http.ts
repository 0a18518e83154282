import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

const lookMs = 25;

/**
 * Watches the connections of an HTTP server. The returned function waits until no connection is
 * open, for at most `patienceMs`. It does not wait for websockets. Call this before the server
 * listens.
 */
export function watchConnections(server: Server): (patienceMs: number) => Promise<void> {
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.on('upgrade', ({ socket }) => open.delete(socket));
  return async (patienceMs) => {
    const end = Date.now() + patienceMs;
    while (open.size > 0 && Date.now() < end) await wait(lookMs);
  };
}
