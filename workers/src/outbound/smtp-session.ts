import { isAscii } from 'node:buffer';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { assertLibrary } from '@selvage/core/assert-library';
import { log } from '@selvage/core/log';
import type { ReachedTls } from '@selvage/core/outbound/deliveries';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { cleanReply, isTooManyRecipients, judgeSendFailure, type Outcome, type SmtpClientError } from './outcome.ts';
import { connectionOptions, judgeTls, type SessionOptions } from './session-options.ts';

/** How much of a message the library gets at once. */
const pieceBytes = 65_536;

/** The envelope of one transaction, and the exact bytes to send. */
export interface Envelope {
  from: string;
  /** Each address once. */
  to: readonly string[];
  raw: Buffer;
  /**
   * The same message for a server without 8BITMIME, or why there is none. Given when `raw` has
   * 8-bit bytes.
   */
  sevenBit?: () => Promise<{ raw: Buffer } | { refused: string }>;
}

/** What came of one transaction. */
export interface Transaction {
  /** One for each recipient, in their order. */
  outcomes: Outcome[];
  /** The server took the message, so the next transaction may begin without RSET. */
  isClean: boolean;
  /**
   * The connection broke before the server took any recipient, or the server took no MAIL: it
   * surely has nothing of the message, and if the connection is an old one, that may be why.
   */
  isWornOut: boolean;
}

/** The envelope as the library keeps it: it writes down what the server said to each recipient. */
interface LibraryEnvelope {
  from: string;
  to: string[];
  size: number;
  use8BitMime: boolean;
  accepted?: string[];
  rejectedErrors?: SmtpClientError[];
  mailError?: SmtpClientError;
}

/** What is read of the library's connection beyond its types. */
interface ConnectionInside {
  _supportedExtensions: string[];
  /** From the answer to STARTTLS to the end of the handshake. */
  upgrading?: boolean;
  /** False before it connects. */
  _socket: Socket | false;
  _onData: (chunk: Buffer) => void;
  /** Begins to write a message, once the server has said that it may come. */
  _createSendStream: (done: unknown) => Readable;
  /** Replies that have come and are not handled yet: one in each turn of the event loop. */
  _responseQueue: string[];
  /** Gives up on a server that says too much. */
  _onResponseTooLarge: () => void;
}

/** Why this host ends a connection by itself. */
interface StopReason {
  text: string;
  code: string;
}

const noConnection: StopReason = { text: 'Connection timeout', code: 'ETIMEDOUT' };
const tookTooLong: StopReason = { text: 'The server took too long', code: 'ETIMEDOUT' };
const tooEarly: StopReason = { text: 'The server answered before it had the message', code: 'EPROTOCOL' };

/** A group has a hundred recipients at most, and each command one reply. */
const mostReplies = 1000;

const unused = insideOf(new SMTPConnection());
assertLibrary({
  name: 'nodemailer',
  version: '10.6.0',
  from: import.meta.url,
  members: {
    _supportedExtensions: Array.isArray(unused._supportedExtensions),
    _socket: unused._socket === false,
    _onData: typeof unused._onData === 'function',
    _createSendStream: typeof unused._createSendStream === 'function',
    _responseQueue: Array.isArray(unused._responseQueue),
    _onResponseTooLarge: typeof unused._onResponseTooLarge === 'function',
  },
});

function insideOf(connection: SMTPConnection): ConnectionInside {
  return connection as unknown as ConnectionInside;
}

/**
 * Gives up on a server that sends replies to no command: the library keeps all of them, empty
 * lines as well.
 */
function boundReplies(connection: SMTPConnection): void {
  const inside = insideOf(connection);
  const onData = inside._onData.bind(connection);
  inside._onData = (chunk) => {
    onData(chunk);
    if (inside._responseQueue.length > mostReplies) inside._onResponseTooLarge();
  };
}

/** Whether the server's machine has not answered yet. */
function isConnecting(connection: SMTPConnection): boolean {
  const { _socket: socket } = insideOf(connection);
  return socket === false || socket.connecting;
}

/** A connection to one mail server that can carry several messages, one after the other. */
export class SmtpSession {
  readonly options: SessionOptions;
  readonly #connection: SMTPConnection;
  #failed: SmtpClientError | null = null;
  #reached: ReachedTls = { state: 'none', protocol: null };
  #abandon: (() => void) | null = null;

  private constructor(options: SessionOptions, connection: SMTPConnection) {
    this.options = options;
    this.#connection = connection;
    boundReplies(connection);
    connection.on('error', (error: SmtpClientError) => {
      error.isTlsFailure = error.code === 'ETLS' || insideOf(connection).upgrading === true;
      this.#failed = error;
    });
    connection.once('end', () => {
      this.#failed ??= new Error('Connection closed');
    });
  }

  /**
   * Connects, greets and starts TLS as the options say. Gives up when `ended` is.
   * @throws SmtpClientError
   */
  static async open(options: SessionOptions, ended: AbortSignal): Promise<SmtpSession> {
    const connection = new SMTPConnection(connectionOptions(options));
    const session = new SmtpSession(options, connection);
    const hangUp = () => connection.close();
    ended.addEventListener('abort', hangUp, { once: true });
    const giveUp = setTimeout(() => session.#stop(tookTooLong), options.timeouts.message);
    const reach = setTimeout(() => {
      if (isConnecting(connection)) session.#stop(noConnection);
    }, options.timeouts.connect);
    try {
      if (ended.aborted) throw new Error('Connection closed');
      await new Promise<void>((resolve, reject) => {
        connection.once('error', reject);
        connection.once('end', () => reject(session.#failed ?? new Error('Connection closed')));
        connection.connect((error?: unknown) => (error ? reject(error) : resolve()));
      });
      const { _socket: socket } = insideOf(connection);
      if (socket) socket.setTimeout(options.timeouts.silence);
      session.#reached = judgeTls(socket, options);
      if (options.credentials) await session.#login(options.credentials);
    } catch (error) {
      connection.close();
      throw error;
    } finally {
      clearTimeout(giveUp);
      clearTimeout(reach);
      ended.removeEventListener('abort', hangUp);
    }
    return session;
  }

  /** How the connection is protected. */
  get reached(): ReachedTls {
    return this.#reached;
  }

  /** Whether another message can be sent through it, as far as is known without asking. */
  get isUsable(): boolean {
    return this.#failed === null;
  }

  /** Says whether the server supports an extension of SMTP. */
  supports(extension: string): boolean {
    return insideOf(this.#connection)._supportedExtensions.includes(extension);
  }

  /**
   * Offers one message to its recipients in one transaction and tells what the server made of it.
   * Never throws.
   */
  async send(envelope: Envelope): Promise<Transaction> {
    const { to } = envelope;
    const { serverName: host } = this.options;
    const isKnown = this.supports('SMTPUTF8');
    const offered = isKnown ? [...to] : to.filter((address) => isAscii(Buffer.from(envelope.from + address)));
    // RFC 6531 3.2: such an address must not be sent to a server that does not know the extension
    const foreign = '550 5.6.7 the server does not support internationalised addresses';
    const refusal: Outcome = { kind: 'refused', reason: 'remote_refused', reply: foreign, host };
    const form = offered.length === 0 ? null : await this.#formFor(envelope);
    if (form && 'kind' in form) return { outcomes: to.map(() => form), isClean: true, isWornOut: false };
    const told = form && (await this.#offer({ ...envelope, to: offered, raw: form.raw }));
    const outcomes = to.map((address) => told?.outcomes.get(address) ?? refusal);
    return { outcomes, isClean: told?.isClean ?? true, isWornOut: told?.isWornOut ?? false };
  }

  /** The bytes that this server takes; the outcome for all recipients when there are none. */
  async #formFor({ raw, sevenBit }: Envelope): Promise<{ raw: Buffer } | Outcome> {
    if (!sevenBit || this.supports('8BITMIME')) return { raw };
    const { serverName: host } = this.options;
    try {
      const form = await sevenBit();
      if ('raw' in form) return form;
      // RFC 6152 3: what can't be converted is sent back
      const reply = cleanReply(`550 5.6.3 the server takes no 8-bit text: ${form.refused}`);
      return { kind: 'refused', reason: 'remote_refused', reply, host };
    } catch (error) {
      log.error('a message could not be converted to 7 bits', { error });
      return { kind: 'deferred', reason: 'internal_error', reply: '451 4.3.0 temporary failure here', host };
    }
  }

  /** Sends RSET, which drops a refused message and shows whether the server is still there. */
  async reset(): Promise<boolean> {
    if (!this.isUsable) return false;
    const giveUp = setTimeout(() => this.#stop(tookTooLong), this.options.timeouts.message);
    return new Promise<boolean>((resolve) => {
      const onEnd = () => resolve(false);
      this.#connection.once('end', onEnd);
      this.#connection.reset((error?: unknown) => {
        this.#connection.off('end', onEnd);
        resolve(!error && this.isUsable);
      });
    }).finally(() => clearTimeout(giveUp));
  }

  /** Ends the connection, with QUIT if the server is still there. */
  close(): void {
    if (this.isUsable) this.#connection.quit();
    else this.#connection.close();
  }

  /** Cuts the connection in the middle of a message. */
  abandon(): void {
    this.#abandon?.();
  }

  async #login(credentials: { user: string; password: string }): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#connection.once('error', reject);
      this.#connection.once('end', () => reject(this.#failed ?? new Error('Connection closed')));
      this.#connection.login({ credentials: { user: credentials.user, pass: credentials.password } }, (error) =>
        error ? reject(error) : resolve(),
      );
    });
  }

  async #offer({
    from,
    to,
    raw,
  }: Envelope): Promise<Omit<Transaction, 'outcomes'> & { outcomes: Map<string, Outcome> }> {
    const envelope: LibraryEnvelope = { from, to: [...to], size: raw.length, use8BitMime: !isAscii(raw) };
    const { serverName: host, tls } = this.options;
    const isFallback = tls === 'none';
    const progress: Progress = { message: 'waits' };
    let end: Outcome;
    let error: SmtpClientError | null = null;
    try {
      end = {
        kind: 'accepted',
        reason: 'remote_accepted',
        reply: cleanReply(await this.#transact(envelope, raw, progress)),
        host,
      };
    } catch (failure) {
      error = failure as SmtpClientError;
      end = judgeSendFailure(error, host, isFallback);
      // RFC 5321 5.1: another server may take what this one surely has not
      if (end.kind === 'deferred' && progress.message === 'waits') end = { ...end, kind: 'unreachable' };
    }
    const isAccepted = end.kind === 'accepted';
    return {
      outcomes: outcomesOf(envelope, to, { end, host, isFallback }),
      isClean: isAccepted,
      isWornOut: error !== null && isWornOut(envelope, error),
    };
  }

  /** Ends the connection, whatever the server does, and returns why. */
  #stop({ text, code }: StopReason): SmtpClientError {
    this.#failed ??= Object.assign(new Error(text), { code });
    this.#connection.close();
    return this.#failed;
  }

  async #transact(envelope: LibraryEnvelope, raw: Buffer, progress: Progress): Promise<string> {
    // The library looks at what it is given in one go
    const message = raw.length > pieceBytes ? Readable.from(piecesOf(raw), { objectMode: false }) : raw;
    try {
      const response = await this.#exchange(envelope, message, progress);
      if (!(await isSoonLeft(progress))) throw this.#stop(tooEarly);
      return response;
    } finally {
      // A server may answer while it has not read all. What follows on the connection would be read
      // as part of the message, and the library would keep what it has not written
      if (progress.message === 'leaves') {
        this.#stop(tooEarly);
        if (message instanceof Readable) message.destroy();
      }
    }
  }

  #exchange(envelope: LibraryEnvelope, message: Readable | Buffer, progress: Progress): Promise<string> {
    const { message: messageMs, judgement, silence } = this.options.timeouts;
    const inside = insideOf(this.#connection);
    return new Promise<string>((resolve, reject) => {
      let isOver = false;
      const end = (): void => {
        isOver = true;
        clearTimeout(giveUp);
      };
      const stop = (why: StopReason): void => {
        end();
        reject(this.#stop(why));
      };
      this.#abandon = () => stop({ text: 'This host had to hang up', code: 'ECONNECTION' });
      let giveUp = setTimeout(() => stop(tookTooLong), messageMs);
      this.#watchLeaving(progress, () => {
        // After the answer, it would end what comes next on the connection
        if (isOver) return;
        clearTimeout(giveUp);
        giveUp = setTimeout(() => stop(tookTooLong), judgement);
        if (inside._socket) inside._socket.setTimeout(judgement);
      });
      this.#connection.send(envelope, message, (error, info) => {
        end();
        if (inside._socket) inside._socket.setTimeout(silence);
        if (error) reject(error);
        else resolve(info.response);
      });
    });
  }

  /** Notes when the message begins to leave. Calls `onLeft` when all of it has been written. */
  #watchLeaving(progress: Progress, onLeft: () => void): void {
    const inside = insideOf(this.#connection);
    const create = SMTPConnection.prototype as unknown as Pick<ConnectionInside, '_createSendStream'>;
    inside._createSendStream = (done) => {
      progress.message = 'leaves';
      const stream = create._createSendStream.call(this.#connection, done);
      stream.once('end', () => {
        progress.message = 'left';
        onLeft();
      });
      return stream;
    };
  }
}

/** How far a transaction has come. */
interface Progress {
  message: 'waits' | 'leaves' | 'left';
}

/**
 * The last bytes are written before their reader answers, but the stream says so a little later.
 */
async function isSoonLeft(progress: Progress): Promise<boolean> {
  for (let turn = 0; turn < 3 && progress.message === 'leaves'; turn += 1) await setImmediate();
  return progress.message === 'left';
}

/** A server that reads as fast as it is written to would otherwise get it all in one turn. */
async function* piecesOf(raw: Buffer): AsyncGenerator<Buffer, void> {
  for (let at = 0; at < raw.length; at += pieceBytes) {
    yield raw.subarray(at, at + pieceBytes);
    await setImmediate();
  }
}

/**
 * The answer to RCPT counts for recipients that were not taken, the end of the transaction for
 * the others.
 */
function outcomesOf(
  { accepted = [], rejectedErrors = [], mailError }: LibraryEnvelope,
  to: readonly string[],
  { end, host, isFallback }: { end: Outcome; host: string; isFallback: boolean },
): Map<string, Outcome> {
  const outcomes = new Map(to.map((address) => [address, end]));
  // After a refused MAIL the answers to RCPT only repeat that there is no transaction
  if (mailError) return outcomes;
  for (const error of rejectedErrors) {
    if (error.recipient === undefined) continue;
    const outcome = judgeSendFailure(error, host, isFallback);
    const isLeft = end.kind === 'accepted' && isTooManyRecipients(error, accepted.length);
    outcomes.set(error.recipient, isLeft ? { ...outcome, kind: 'left' } : outcome);
  }
  return outcomes;
}

/**
 * True when MAIL was refused for good or by a server that is going away (421), or when nothing was
 * answered.
 */
function isWornOut(
  { accepted = [], rejectedErrors = [], mailError }: LibraryEnvelope,
  error: SmtpClientError,
): boolean {
  if (mailError?.responseCode !== undefined && mailError.responseCode >= 500) return true;
  const { responseCode } = error;
  return accepted.length === 0 && rejectedErrors.length === 0 && (responseCode === undefined || responseCode === 421);
}
