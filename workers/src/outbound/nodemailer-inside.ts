import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { assertLibrary } from '@selvage/core/assert-library';
import SMTPConnection from 'nodemailer/lib/smtp-connection';

/*
 * What Selvage uses of nodemailer's internals. Loading this file throws when another version of
 * nodemailer is installed, or when one of these members is missing.
 */

/** The members of nodemailer's connection that its types lack and a session uses. */
export interface ConnectionInside {
  _supportedExtensions: string[];
  /** From the answer to STARTTLS to the end of the handshake. */
  upgrading?: boolean;
  /** False before it connects. */
  _socket: Socket | false;
  _onData: (chunk: Buffer) => void;
  /** Handles the reply to DATA. */
  _actionDATA: (reply: string, done: unknown) => void;
  /** Begins to write a message, once the server has answered DATA with 354. */
  _createSendStream: (done: unknown) => Readable;
  /** Replies that have arrived. Nodemailer handles one of them in each turn of the event loop. */
  _responseQueue: string[];
  /** Ends the connection to a server whose replies are too long. */
  _onResponseTooLarge: () => void;
}

/**
 * The most unhandled replies. A transaction has a hundred recipients at most, and each command gets
 * one reply.
 */
const mostReplies = 1000;

const unused = insideOf(new SMTPConnection());
assertLibrary({
  name: 'nodemailer',
  version: '10.6.0',
  from: import.meta.url,
  members: {
    _supportedExtensions: Array.isArray(unused._supportedExtensions),
    _socket: unused._socket === false,
    _actionDATA: typeof unused._actionDATA === 'function',
    _onData: typeof unused._onData === 'function',
    _createSendStream: typeof unused._createSendStream === 'function',
    _responseQueue: Array.isArray(unused._responseQueue),
    _onResponseTooLarge: typeof unused._onResponseTooLarge === 'function',
  },
});

export function insideOf(connection: SMTPConnection): ConnectionInside {
  return connection as unknown as ConnectionInside;
}

/**
 * Ends the connection to a server that sends replies to no command, since nodemailer would keep all
 * of them, empty lines as well.
 */
export function boundReplies(connection: SMTPConnection): void {
  const inside = insideOf(connection);
  const onData = inside._onData.bind(connection);
  inside._onData = (chunk) => {
    onData(chunk);
    if (inside._responseQueue.length > mostReplies) inside._onResponseTooLarge();
  };
}

/**
 * Sends no message before the server has replied 354 to DATA (RFC 5321 4.3.2). Nodemailer also
 * takes 2xx. That may be the reply to an earlier command, of a server that sent one reply too many.
 * The reply to another command would then be read as that to the message, and a message that the
 * server refuses would count as taken. The replies stay out of step, so the connection ends.
 */
export function demandGoAhead(connection: SMTPConnection): void {
  const inside = insideOf(connection);
  const actionData = inside._actionDATA.bind(connection);
  inside._actionDATA = (reply, done) => {
    if (!reply.startsWith('2')) return actionData(reply, done);
    actionData(`Unexpected reply to DATA: ${reply}`, done);
    connection.close();
  };
}

/** Whether the TCP connection is not established yet. */
export function isConnecting(connection: SMTPConnection): boolean {
  const { _socket: socket } = insideOf(connection);
  return socket === false || socket.connecting;
}
