import type { Server as NetServer, Socket } from 'node:net';
import { log } from '../log.ts';
import { plainAddress } from './network-of.ts';
import type { DoorGuard } from './door-guard.ts';
import type { EndReason, GuardedConnection, Stage } from './guarded-connection.ts';

/**
 * Finds the guarded connection of a peer, for the parts of the door that know only the peer's
 * address and port.
 */
export interface GuardedServer {
  find(address: string | undefined, port: number | undefined): GuardedConnection | undefined;
}

/**
 * Lets a guard decide about each connection before the server's own listeners get it. Call it after
 * the server has added its listeners.
 * @param options.lastWords the text for a refused peer; null where TLS would come first
 * @param options.uppermost the socket to destroy for a connection: the TLS socket that the server
 * has put on it
 */
export function guardServer(
  server: NetServer,
  guard: DoorGuard,
  options: {
    first: Stage;
    lastWords: ((reason: EndReason) => string) | null;
    uppermost?: (socket: Socket) => Socket;
  },
): GuardedServer {
  const { uppermost = (socket: Socket) => socket } = options;
  const byPeer = new Map<string, GuardedConnection>();
  const listeners = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const address = plainAddress(socket.remoteAddress ?? '');
    const admitted = guard.admit(peerOf(socket, address, uppermost), options.first);
    if (typeof admitted === 'string') return dismiss(socket, options.lastWords?.(admitted) ?? null);
    // By default the kernel holds the second of two replies back until the peer has acknowledged
    // the first. A peer that sends several commands at once (RFC 2920) does that after 40 ms
    socket.setNoDelay(true);
    const key = `${address} ${socket.remotePort}`;
    byPeer.set(key, admitted);
    socket.once('close', () => guard.release(admitted));
    try {
      for (const listener of listeners) listener.call(server, socket);
    } catch (error) {
      // For example, the process may open no more files. The other connections go on
      log.error('a connection could not be taken', { error });
      dismiss(socket, null);
    }
  });
  forgetGone(server, byPeer);
  return { find: (address = '', port = 0) => byPeer.get(`${plainAddress(address)} ${port}`) };
}

function peerOf(socket: Socket, address: string, uppermost: (socket: Socket) => Socket) {
  return {
    address,
    destroy: () => void uppermost(socket).destroy(),
    isGone: () => socket.destroyed,
    bytesRead: () => socket.bytesRead,
  };
}

/** Sends the last words and closes, without waiting for the peer to read. */
function dismiss(socket: Socket, words: string | null): void {
  // The peer may have closed already; then there is nothing left to do
  socket.on('error', () => socket.destroy());
  if (words === null) socket.destroy();
  else socket.end(words, () => socket.destroy());
}

const forgetMs = 5000;

/**
 * Forgets closed connections at intervals, since the libraries remove `close` listeners from a
 * socket that they put TLS on. A port that is used again replaces its entry.
 */
function forgetGone(server: NetServer, byPeer: Map<string, GuardedConnection>): void {
  const timer = setInterval(() => {
    for (const [key, connection] of byPeer) if (connection.peer.isGone()) byPeer.delete(key);
  }, forgetMs);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}
