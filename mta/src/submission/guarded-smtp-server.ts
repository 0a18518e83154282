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

/** A connection as it is from the accept on: smtp-server fills its session in before it greets. */
type Connection = Omit<OwnConnection, 'session'> & { session: Partial<SMTPServerSession> };

/** Takes note of an answer to MAIL or RCPT that refuses, and that smtp-server gives by itself. */
export type NoteOwnRefusal = (
  session: SMTPServerSession,
  refusal: { command: string; code: number; text: string },
) => void;

/** smtp-server behind a guard that counts from the accept and knows what each connection is at. */
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

  /** Called by smtp-server for each connection, once TLS is set up where it comes first. */
  override connect(socket: Socket, ...options: [object?]): void {
    super.connect(socket, ...options);
    const connection: Connection | undefined = [...this.connections].at(-1);
    const guarded = this.#accepted.find(socket.remoteAddress, socket.remotePort);
    // `checkMailParameters` answers for all of them, with enhanced codes
    if (connection) connection._validateMailParams = () => null;
    if (connection) readOddPaths(connection);
    if (connection) watchOwnAnswers(connection, this.#noteOwn);
    if (!connection || !guarded) return;
    guarded.stage = () => stageOf(connection);
    endByUppermost(guarded, connection, socket);
    guarded.takeLeave = (reason) => {
      const reply = lastReply(reason);
      connection.send(reply.code, replyLine(reply), false);
    };
  }

  /**
   * Counts a connection by its account from now on; says why the account may not have another one.
   */
  noteSignIn({ remoteAddress, remotePort }: SMTPServerSession, user: User): EndReason | null {
    const guarded = this.#accepted.find(remoteAddress, remotePort);
    return guarded ? this.#guard.signIn(guarded, `user:${user.id}`) : null;
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
 * smtp-server gives each socket of a connection its time-out: the first one, and the TLS that
 * STARTTLS puts on it.
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

/** The answers of the handlers begin with their enhanced codes, those of smtp-server do not. */
const ofHandler = /^[245]\.\d+\.\d+ /;

function watchOwnAnswers(connection: Connection, note: NoteOwnRefusal): void {
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
    // A command before its turn offers no message
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

/** Old programs and devices name an address without its brackets, and smtp-server asks for them. */
function withBrackets(command: string): string {
  return command.replace(/^(mail +from|rcpt +to): *([^\s<>"]+)(?= |$)/i, '$1:<$2>');
}

/** A path with a local part in quotes, or with a domain that has an underscore. */
const oddPath = /^([a-z ]+: *<)("(?:[^"\\]|\\.)+"@[^\s<>"@]+|[^\s<>"@]+@[^\s<>"@]*_[^\s<>"@]*)(?=>)/i;

/**
 * smtp-server ends an address at its first space and refuses underscores, so it gets another
 * address in place of such a one. The handlers judge what was written.
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

/** A peer that speaks before it is greeted offers no message either. */
function isGreeted(session: Partial<SMTPServerSession>): session is SMTPServerSession {
  return session.envelope !== undefined;
}

/** smtp-server answers from events of the socket, where an error would end the process. */
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
  // While a login is checked, the host is what takes the time
  return connection.session.user || connection._handlerPending ? 'open' : 'logging_in';
}
