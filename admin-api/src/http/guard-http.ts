import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { DoorGuard } from '@selvage/core/access/door-guard';
import { guardServer } from '@selvage/core/access/guard-server';
import { GuardedConnection } from '@selvage/core/access/guarded-connection';
import type { Config } from '@selvage/core/process/config';
import { clientAddress } from './client-address.ts';
import { limitPipeline } from './limit-pipeline.ts';
import { beginInTurns } from './request-turns.ts';

const refusal = [
  'HTTP/1.1 503 Service Unavailable',
  'Retry-After: 5',
  'Content-Length: 0',
  'Connection: close',
  '\r\n',
].join('\r\n');

/**
 * Keeps one client from using up the HTTP port. A connection counts from its accept. Behind trusted
 * proxies the connections are those of the proxies, so there each request counts, by the client's
 * address that the proxies report. Admitted requests then take turns by network. Call this when all
 * listeners have been added to the server.
 */
export function guardHttp(server: Server, config: Config): DoorGuard {
  const guard = new DoorGuard({
    name: 'http',
    limits: {
      perAddress: config.httpConnectionsPerAddress,
      perNetwork: config.httpConnectionsPerNetwork,
      total: config.httpConnections,
    },
    patience: { silent: config.firstCommandSeconds * 1000, transfer: config.transferSeconds * 1000 },
    transferBytesPerSecond: config.transferBytesPerSecond,
  });
  beginInTurns(server, (request) => clientAddress(request, config.trustedProxies));
  if (config.trustedProxies === 0) guardConnections(server, guard);
  else guardRequests(server, guard, config.trustedProxies);
  limitPipeline(server);
  server.once('close', () => guard.stop());
  return guard;
}

function guardConnections(server: Server, guard: DoorGuard): void {
  const accepted = guardServer(server, guard, { first: 'silent', lastWords: () => refusal });
  const watch = (request: IncomingMessage) => {
    const connection = accepted.find(request.socket.remoteAddress, request.socket.remotePort);
    if (connection) watchBody(connection, request);
  };
  server.prependListener('request', watch);
  server.prependListener('upgrade', watch);
}

/** Until its body has arrived, a request counts as a transfer. */
function watchBody(connection: GuardedConnection, request: IncomingMessage): void {
  connection.stage = () => (request.complete ? 'open' : 'transfer');
}

function guardRequests(server: Server, guard: DoorGuard, proxies: number): void {
  stepInFront(server, 'request', (request: IncomingMessage, response: ServerResponse) => {
    const admitted = admitRequest(guard, request, { proxies, isGone: () => response.closed });
    if (admitted) response.once('close', () => guard.release(admitted));
    else response.writeHead(503, { 'Retry-After': '5', Connection: 'close' }).end();
    return admitted !== null;
  });
  stepInFront(server, 'upgrade', (request: IncomingMessage, socket: Duplex) => {
    const admitted = admitRequest(guard, request, { proxies, isGone: () => socket.destroyed });
    if (admitted) socket.once('close', () => guard.release(admitted));
    else refuseUpgrade(socket);
    return admitted !== null;
  });
}

function refuseUpgrade(socket: Duplex): void {
  // Node has removed its own error listener, and the client may already have disconnected
  socket.on('error', () => socket.destroy());
  socket.end(refusal, () => socket.destroy());
}

function admitRequest(
  guard: DoorGuard,
  request: IncomingMessage,
  { proxies, isGone }: { proxies: number; isGone: () => boolean },
): GuardedConnection | null {
  const { socket } = request;
  const peer = {
    address: clientAddress(request, proxies),
    destroy: () => void socket.destroy(),
    isGone,
    bytesRead: () => socket.bytesRead,
  };
  const admitted = guard.admit(peer, 'transfer');
  if (!(admitted instanceof GuardedConnection)) return null;
  watchBody(admitted, request);
  return admitted;
}

/** Lets the listeners of an event run only when the guard agrees. */
function stepInFront<T extends unknown[]>(server: Server, event: string, admit: (...parts: T) => boolean): void {
  const listeners = server.listeners(event) as ((...parts: T) => void)[];
  server.removeAllListeners(event);
  server.on(event, (...parts: unknown[]) => {
    if (!admit(...(parts as T))) return;
    for (const listener of listeners) listener.call(server, ...(parts as T));
  });
}
