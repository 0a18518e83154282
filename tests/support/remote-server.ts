import { makeSelfSigned } from '@selvage/core/secrets/self-signed-certificate';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { freePorts } from './free-ports.ts';

/** A message as the remote mail server received it. */
export interface ReceivedMessage {
  from: string;
  to: string[];
  /** The bytes after DATA, with dot-stuffing undone. */
  raw: Buffer;
  secure: boolean;
}

/** A remote mail server on loopback. */
export interface RemoteServer {
  port: number;
  received: ReceivedMessage[];
  stop(): Promise<void>;
}

/** One certificate for all servers of a test file, since making a key is slow. */
let certificate: ReturnType<typeof makeSelfSigned> | undefined;

/**
 * Starts a mail server that stores what it receives. `options` can make it refuse, defer or hang.
 */
export async function startRemoteServer(
  options: SMTPServerOptions = {},
  port?: number,
  address = '127.0.0.1',
): Promise<RemoteServer> {
  const received: ReceivedMessage[] = [];
  certificate ??= makeSelfSigned('mx.remote.test');
  const server = new SMTPServer({
    ...(await certificate),
    authOptional: true,
    disabledCommands: ['AUTH'],
    disableReverseLookup: true,
    closeTimeout: 100,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        received.push({
          from: session.envelope.mailFrom === false ? '' : session.envelope.mailFrom.address,
          to: session.envelope.rcptTo.map((recipient) => recipient.address),
          raw: Buffer.concat(chunks),
          secure: session.secure,
        });
        done(null, 'kept');
      });
    },
    ...options,
  });
  const [own = 0] = port === undefined ? await freePorts(1) : [port];
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(own, address, resolve);
  });
  // Some tests close connections halfway, which is no failure
  server.on('error', () => undefined);
  return {
    port: own,
    received,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
