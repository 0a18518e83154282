import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { stopAtEnd } from './end-of-file.ts';

/**
 * A proxy between a process and the database. It can stall like a host that lost its power: no
 * connection closes and none answers.
 */
export interface DatabaseProxy {
  /** DATABASE_URL through the proxy. */
  databaseUrl: string;
  /** From now on, no connection passes data. New connections are accepted and get no answer. */
  stall(): void;
  /**
   * From now on, every connection is closed at once, as when the database has crashed. Returns a
   * function that counts these connections.
   */
  refuse(): () => number;
  /** New connections work again. Stalled ones stay silent forever. */
  recover(): void;
}

/** Starts a proxy to the database of this URL. It stops when the test file ends. */
export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const url = new URL(databaseUrl);
  const socketPath = url.searchParams.get('socket');
  const target = socketPath ? { path: socketPath } : { host: url.hostname, port: Number(url.port || 3306) };
  const sockets = new Set<Socket>();
  let mode: 'open' | 'stalled' | 'refusing' = 'open';
  let refused = 0;
  const server = createServer((client) => {
    sockets.add(client.on('error', () => client.destroy()));
    if (mode === 'stalled') return;
    if (mode === 'refusing') {
      refused += 1;
      client.destroy();
      return;
    }
    const upstream = connect(target).on('error', () => client.destroy());
    sockets.add(upstream);
    client.pipe(upstream).pipe(client);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stopAtEnd(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  url.searchParams.delete('socket');
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    databaseUrl: url.toString(),
    stall: () => {
      mode = 'stalled';
      for (const socket of sockets) socket.unpipe().pause();
    },
    refuse: () => {
      mode = 'refusing';
      refused = 0;
      for (const socket of sockets) socket.destroy();
      return () => refused;
    },
    recover: () => {
      mode = 'open';
    },
  };
}
