import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { endedConnections } from '@selvage/core/metrics';

/** Requests of a connection: the one under way, and those that came before its answer. */
const mostOfConnection = 5;

/**
 * Begins the requests of a connection one after another, and ends a connection that sends too many
 * ahead. Node begins each request as it arrives, so that the limits on connections alone would let
 * a single connection begin thousands at once. Browsers and proxies send one at a time. Call it
 * when all listeners of the server are there.
 */
export function limitPipeline(server: Server): void {
  const listeners = server.listeners('request') as RequestListener[];
  const lines = new WeakMap<Socket, (() => void)[]>();
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    // Requests in bytes that had been read before the connection was ended
    if (socket.destroyed) return;
    const line = lines.get(socket) ?? [];
    lines.set(socket, line);
    if (line.length >= mostOfConnection) {
      endedConnections.inc({ door: 'http', reason: 'pipeline_limit' });
      socket.destroy();
      return;
    }
    line.push(() => {
      for (const listener of listeners) listener.call(server, request, response);
    });
    response.once('close', () => {
      line.shift();
      if (!socket.destroyed) line[0]?.();
    });
    if (line.length === 1) line[0]?.();
  });
}
