import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { endedConnections } from '@selvage/core/metrics';

/**
 * The most requests of a connection at once: the running one, and those that arrived before its
 * answer.
 */
const mostOfConnection = 5;

/**
 * Runs the requests of a connection one after another, and closes a connection that sends too many
 * ahead. Node begins each request as it arrives, so with limits on connections alone, one
 * connection could begin thousands at once. Browsers and proxies send one at a time. Call this when
 * all listeners have been added to the server.
 */
export function limitPipeline(server: Server): void {
  const listeners = server.listeners('request') as RequestListener[];
  const lines = new WeakMap<Socket, (() => void)[]>();
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    // Bytes that were read before the connection was closed may contain further requests
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
