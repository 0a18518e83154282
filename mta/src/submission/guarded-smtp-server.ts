import type { Socket } from 'node:net';
import { assertLibrary } from '@selvage/core/assert-library';
import type { DoorGuard } from '@selvage/core/access/door-guard';
import { type GuardedServer, guardServer } from '@selvage/core/access/guard-server';
import type { EndReason, GuardedConnection, Stage } from '@selvage/core/access/guarded-connection';
import { log } from '@selvage/core/log';
import type { User } from '@selvage/core/models/user';
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';
import { lastLine, lastReply } from '../door-limits.ts';
import { type Reply, replyLine } from '../reply.ts';

type OwnConnection = SMTPServer['connections'] extends Set<infer One> ? One : never;

/** A connection of smtp-server. Its session is incomplete until smtp-server sends the greeting. */
type Connection = Omit<OwnConnection, 'session'> & { session: Partial<SMTPServerSession> };

/** Notes that smtp-server itself refused a MAIL or RCPT command, without asking a handler. */
export type NoteOwnRefusal = (
  session: SMTPServerSession,
  refusal: { command: string; code: number; text: string },
) => void;

/*
 * Everything that Selvage changes of smtp-server's private members, each for a reason of its own:
 *
 *   _pendingSockets         read, to end a connection during its TLS handshake (`uppermost`)
 *   _validateMailParams     off: `checkMailParameters` checks the parameters of MAIL
 *   _parseAddressCommand    accepts addresses that it would refuse (`readOddPaths`)
 *   handler_RCPT            sends the replies to many recipients together (`sendTogether`)
 *   _onCommand, send        note what it refuses by itself, and add brackets (`watchCommands`)
 *   _armTimeout             learns of the TLS socket of STARTTLS (`endByUppermost`)
 *   _upgrading, _parser, …  read, to know the stage of a connection (`stageOf`)
 *
 * No two of them change the same member, so their order does not matter.
 */

/**
 * smtp-server with a guard that counts connections from the accept on, and that knows the stage of
 * each one.
 */
export class GuardedSmtpServer extends SMTPServer {
  readonly #guard: DoorGuard;
  readonly #accepted: GuardedServer;
  readonly #noteOwn: NoteOwnRefusal;

  constructor(guard: DoorGuard, noteOwn: NoteOwnRefusal, options: SMTPServerOptions) {
    super(options);
    assertLibrary({
      name: 'smtp-server',
      version: '3.21.6',
      from: import.meta.url,
      members: { _pendingSockets: this._pendingSockets instanceof Map, connections: this.connections instanceof Set },
    });
    this.#guard = guard;
    this.#noteOwn = noteOwn;
    const isSecure = options.secure === true;
    this.#accepted = guardServer(this.server, guard, {
      first: isSecure ? 'handshake' : 'silent',
      lastWords: isSecure ? null : lastLine,
      uppermost: (socket) => this._pendingSockets.get(socket) ?? socket,
    });
  }

  /** smtp-server calls this method for each connection; with implicit TLS, after the handshake. */
  override connect(socket: Socket, ...options: [object?]): void {
    super.connect(socket, ...options);
    const connection: Connection | undefined = [...this.connections].at(-1);
    const guarded = this.#accepted.find(socket.remoteAddress, socket.remotePort);
    // `checkMailParameters` checks the parameters instead, and replies with enhanced codes
    if (connection) connection._validateMailParams = () => null;
    if (connection) readOddPaths(connection);
    if (connection) sendTogether(connection);
    if (connection) watchCommands(connection, this.#noteOwn);
    if (!connection || !guarded) return;
    guarded.stage = () => stageOf(connection);
    endByUppermost(guarded, connection, socket);
    guarded.takeLeave = (reason) => {
      const reply = lastReply(reason);
      connection.send(reply.code, replyLine(reply), false);
    };
  }

  /**
   * Counts a connection for its account from now on. Returns the reason when the account may have
   * no further connection.
   */
  noteLogin({ remoteAddress, remotePort }: SMTPServerSession, user: User): EndReason | null {
    const guarded = this.#accepted.find(remoteAddress, remotePort);
    return guarded ? this.#guard.logIn(guarded, `user:${user.id}`) : null;
  }

  /** Ends the connections that have no message under way. */
  endIdle(reply: Reply): void {
    const connections: Iterable<Connection> = [...this.connections];
    for (const connection of connections) {
      if (!connection.session.envelope?.mailFrom) connection.send(reply.code, replyLine(reply), false);
    }
  }
}

/**
 * Makes the guard destroy the uppermost socket of a connection. smtp-server arms the timeout of
 * each socket, first of the plain one and later of the TLS socket that STARTTLS puts on top of it,
 * so this function learns of both.
 */
function endByUppermost(guarded: GuardedConnection, connection: Connection, first: Socket): void {
  let uppermost = first;
  const armTimeout = connection._armTimeout.bind(connection);
  connection._armTimeout = (socket) => {
    uppermost = socket ?? uppermost;
    armTimeout(socket);
  };
  guarded.destroy = () => uppermost.destroy();
}

/**
 * Matches a reply of a handler. Replies of handlers begin with an enhanced code, those of
 * smtp-server do not.
 */
const ofHandler = /^[245]\.\d+\.\d+ /;

/**
 * Notes the refusals that smtp-server makes by itself, with the MAIL or RCPT command that each
 * answers. On the way it puts the addresses of these commands in angle brackets.
 */
function watchCommands(connection: Connection, note: NoteOwnRefusal): void {
  const onCommand = connection._onCommand.bind(connection);
  let command = '';
  connection._onCommand = (bytes, done) => {
    const line = String(bytes ?? '');
    // No other line is kept: it may contain a password
    command = /^(?:mail|rcpt) /i.test(line) ? line : '';
    const whole = withBrackets(command);
    onCommand(whole === command ? bytes : Buffer.from(whole), done);
  };
  const send = connection.send.bind(connection);
  connection.send = (code, text, context) => {
    // 503 refuses a command out of sequence, which offers no message
    const refuses = command !== '' && code >= 400 && code !== 503;
    const isRepeat = code === 530 && /^rcpt/i.test(command);
    const { session } = connection;
    if (refuses && !isRepeat && isGreeted(session) && typeof text === 'string' && !ofHandler.test(text)) {
      noteSafely(() => note(session, { command, code, text }));
    }
    command = '';
    send(code, text, context);
  };
}

/**
 * Gathers the replies to the RCPT commands that a client sends at once, so that they leave in one
 * write (RFC 2920 3.2). A write for each of a hundred replies is a fifth of what such a message
 * costs this process.
 */
function sendTogether(connection: Connection): void {
  const handle = connection.handler_RCPT.bind(connection);
  connection.handler_RCPT = (command, done) => {
    const { _socket: socket } = connection;
    // The handlers of RCPT reply at once, so all commands of a chunk are handled in this turn
    if (socket && socket.writableCorked === 0) {
      socket.cork();
      process.nextTick(() => socket.uncork());
    }
    handle(command, done);
  };
}

/**
 * Puts the address of a command in angle brackets. Old programs and devices leave them out, and
 * smtp-server demands them.
 */
function withBrackets(command: string): string {
  return command.replace(/^(mail +from|rcpt +to): *([^\s<>"]+)(?= |$)/i, '$1:<$2>');
}

/** A path with a local part in quotes, or with a domain that has an underscore. */
const oddPath = /^([a-z ]+: *<)("(?:[^"\\]|\\.)+"@[^\s<>"@]+|[^\s<>"@]+@[^\s<>"@_]*_[^\s<>"@]*)(?=>)/i;

/**
 * Lets smtp-server accept quoted local parts, and domains with underscores. It cuts an address off
 * at the first space and refuses such domains, so this function gives it a substitute to parse. The
 * handlers then get, and check, the original address.
 */
function readOddPaths(connection: Connection): void {
  const read = connection._parseAddressCommand.bind(connection);
  connection._parseAddressCommand = (name, command) => {
    const line = String(command ?? '');
    const address = oddPath.exec(line)?.[2];
    if (address === undefined) return read(name, command);
    const parsed = read(name, line.replace(oddPath, '$1odd@path.invalid'));
    return parsed && { ...parsed, address };
  };
}

/**
 * Whether the session is complete, as it is once the peer was greeted. A peer that speaks earlier
 * offers no message.
 */
function isGreeted(session: Partial<SMTPServerSession>): session is SMTPServerSession {
  return session.envelope !== undefined;
}

/**
 * Logs an error of `note` instead of throwing it: smtp-server replies inside socket events, where a
 * thrown error would end the process.
 */
function noteSafely(note: () => void): void {
  try {
    note();
  } catch (error) {
    log.error('a refusal was not noted', { error });
  }
}

function stageOf(connection: Connection): Stage {
  if (connection._upgrading) return 'handshake';
  if (connection.hostNameAppearsAs === false) return 'silent';
  if (connection._parser && connection._parser._dataMode) return 'transfer';
  if (connection._dataStream) return 'deciding';
  // While this host checks a login, the delay is not the peer's
  return connection.session.user || connection._handlerPending ? 'open' : 'logging_in';
}
