import { connect, type Socket } from 'node:net';
import { type Connection, type ConnectionOptions, createConnection } from 'mysql2';

/** How long a connection may take until it is ready for its first statement. */
const connectLimitMs = 5000;

type Done = (error: unknown, ...results: unknown[]) => void;
type Command = (...given: unknown[]) => unknown;

/**
 * mysql2 as Sequelize loads it, with a time limit on each connection attempt and each statement.
 * mysql2 itself would wait for ever for a server that lost its power. A connection whose statement
 * was not answered in time is destroyed, with all that waits on it, so the pool never hands it out
 * again.
 */
export function driverWithLimit(limitMs: number): { createConnection(options: ConnectionOptions): Connection } {
  return {
    createConnection: (options) => {
      const socket = openSocket(options);
      const connectTimeout = Math.min(connectLimitMs, limitMs);
      const connection = createConnection({ ...options, stream: socket, connectTimeout });
      limitCommands(connection, socket, limitMs);
      return connection;
    },
  };
}

/** Opens the socket here, since mysql2 gives no way to destroy one that it has opened. */
function openSocket({ socketPath, host = '', port }: ConnectionOptions): Socket {
  if (socketPath !== undefined) return connect(socketPath);
  const name = host.replace(/^\[|\]$/g, '');
  return connect({ host: name, port: port ?? 3306, noDelay: true, keepAlive: true, keepAliveInitialDelay: 10_000 });
}

/** Destroys the socket when no command has ended for `limitMs` while at least one was open. */
function limitCommands(connection: Connection, socket: Socket, limitMs: number): void {
  const open = new Set<Done>();
  /** When the last command ended or, if that is later, when the first of the open ones began. */
  let since = 0;
  let timer: NodeJS.Timeout | undefined;
  const giveUp = (): void => {
    const error = new Error(`the database gave no answer within ${limitMs} ms`);
    // mysql2 answers every open command with the error that a socket ends with
    socket.destroy(Object.assign(error, { code: 'PROTOCOL_SEQUENCE_TIMEOUT' }));
  };
  // One timer serves all commands: setting one for each would cost more than reading the clock
  const watch = (waitMs: number): void => {
    timer = setTimeout(() => {
      timer = undefined;
      const leftMs = since + limitMs - performance.now();
      if (open.size === 0) return;
      if (leftMs > 0) watch(leftMs);
      else giveUp();
    }, waitMs).unref();
  };
  const commands = connection as unknown as Record<'query' | 'execute', Command>;
  for (const name of ['query', 'execute'] as const) {
    const run = commands[name].bind(connection);
    commands[name] = (...given) => {
      const done = given.pop() as Done;
      open.add(done);
      if (open.size === 1) since = performance.now();
      if (timer === undefined) watch(limitMs);
      return run(...given, (...answer: Parameters<Done>) => {
        open.delete(done);
        since = performance.now();
        done(...answer);
      });
    };
  }
}
