import { isAscii } from 'node:buffer';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { log } from '@selvage/core/log';
import type { ReachedTls } from '@selvage/core/outbound/deliveries';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { boundReplies, type ConnectionInside, demandGoAhead, insideOf, isConnecting } from './nodemailer-inside.ts';
import { cleanReply, judgeSendFailure, type Outcome, type SmtpClientError, TransferCut } from './outcome.ts';
import { connectionOptions, judgeTls, type SessionOptions } from './session-options.ts';
import { isWornOut, type LibraryEnvelope, outcomesOf } from './transaction-outcomes.ts';

/** How many bytes of a message nodemailer gets at once. */
const pieceBytes = 65_536;
/**
 * A large message has more time to leave: what it takes at this speed, and this much at most. The
 * doors give what arrives as much (`TRANSFER_BYTES_PER_SECOND`, `TRANSFER_SECONDS`). A server that
 * stops reading is given up earlier, after its silence.
 */
const leastBytesPerSecond = 1024;
const mostSecondsForSize = 1800;

/** The envelope of one transaction, and the exact bytes to send. */
export interface Envelope {
  from: string;
  /** Each address once. */
  to: readonly string[];
  raw: Buffer;
  /**
   * Makes the same message for a server without 8BITMIME, or says why it can't be made. Given when
   * `raw` has 8-bit bytes.
   */
  sevenBit?: () => Promise<{ raw: Buffer } | { refused: string }>;
}

/** The result of one transaction. */
export interface Transaction {
  /** One for each recipient, in their order. */
  outcomes: Outcome[];
  /** The server took the message, so the next transaction may begin without RSET. */
  isClean: boolean;
  /**
   * The server refused MAIL with 5xx or 421, or the connection ended before the server answered for
   * any recipient. The server surely has nothing of the message. If the connection had carried
   * earlier messages, that may be the reason, and a new connection may work.
   */
  isWornOut: boolean;
}

/** Why this host ends a connection by itself. */
interface StopReason {
  text: string;
  code: string;
}

const noConnection: StopReason = { text: 'Connection timeout', code: 'ETIMEDOUT' };
const tookTooLong: StopReason = { text: 'The server took too long', code: 'ETIMEDOUT' };
const tooEarly: StopReason = { text: 'The server answered before it had the message', code: 'EPROTOCOL' };

/** A connection to one mail server that can carry several messages, one after the other. */
export class SmtpSession {
  readonly options: SessionOptions;
  readonly #connection: SMTPConnection;
  #failed: SmtpClientError | null = null;
  #reached: ReachedTls = { state: 'none', protocol: null };
  #abandon: (() => void) | null = null;
  #isAbandoned = false;

  private constructor(options: SessionOptions, connection: SMTPConnection) {
    this.options = options;
    this.#connection = connection;
    boundReplies(connection);
    demandGoAhead(connection);
    connection.on('error', (error: SmtpClientError) => {
      error.isTlsFailure = error.code === 'ETLS' || insideOf(connection).upgrading === true;
      this.#failed = error;
    });
    connection.once('end', () => {
      this.#failed ??= new Error('Connection closed');
    });
  }

  /**
   * Connects, greets, starts TLS and logs in as the options say. Hangs up when `ended` is aborted.
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

  /**
   * Whether another message may be sent through the connection: it has not failed, as far as this
   * host has noticed.
   */
  get isUsable(): boolean {
    return this.#failed === null;
  }

  /** Says whether the server supports an extension of SMTP. */
  supports(extension: string): boolean {
    return insideOf(this.#connection)._supportedExtensions.includes(extension);
  }

  /**
   * Offers one message to its recipients in one transaction and returns an outcome for each of
   * them.
   * @throws TransferCut after `abandon`
   */
  async send(envelope: Envelope): Promise<Transaction> {
    const { to } = envelope;
    const { serverName: host } = this.options;
    const isKnown = this.supports('SMTPUTF8');
    const offered = isKnown ? [...to] : to.filter((address) => isAscii(Buffer.from(envelope.from + address)));
    // RFC 6531 3.2: such an address must not be sent to a server that does not know the extension
    const foreign = `550 5.6.7 ${host} does not support internationalised addresses`;
    const refusal: Outcome = { kind: 'refused', reason: 'remote_lacks_extension', reply: foreign, host: null };
    const form = offered.length === 0 ? null : await this.#formFor(envelope);
    if (this.#isAbandoned) throw this.#cut(false);
    if (form && 'kind' in form) return { outcomes: to.map(() => form), isClean: true, isWornOut: false };
    const told = form && (await this.#offer({ ...envelope, to: offered, raw: form.raw }));
    const outcomes = to.map((address) => told?.outcomes.get(address) ?? refusal);
    return { outcomes, isClean: told?.isClean ?? true, isWornOut: told?.isWornOut ?? false };
  }

  /**
   * The form of the message that this server takes, or the outcome for all recipients when there is
   * none.
   */
  async #formFor({ raw, sevenBit }: Envelope): Promise<{ raw: Buffer } | Outcome> {
    if (!sevenBit || this.supports('8BITMIME')) return { raw };
    const { serverName: host } = this.options;
    try {
      const form = await sevenBit();
      if ('raw' in form) return form;
      // RFC 6152 3: a message that can't be converted goes back to its sender
      const reply = cleanReply(`550 5.6.3 ${host} takes no 8-bit text: ${form.refused}`);
      return { kind: 'refused', reason: 'remote_lacks_extension', reply, host: null };
    } catch (error) {
      log.error('a message could not be converted to 7 bits', { error });
      return { kind: 'deferred', reason: 'internal_error', reply: '451 4.3.0 temporary failure here', host: null };
    }
  }

  /**
   * Sends RSET, which ends a refused transaction. Resolves to whether the connection can be used
   * again.
   */
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

  /** Ends the connection, with QUIT unless it has failed. */
  close(): void {
    if (this.isUsable) this.#connection.quit();
    else this.#connection.close();
  }

  /** Cuts the connection, also in the middle of a message. */
  abandon(): void {
    this.#isAbandoned = true;
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
      if (failure instanceof TransferCut) throw failure;
      error = failure as SmtpClientError;
      // A server may refuse the sender and hang up without a reply to the commands that came along
      end = judgeSendFailure(envelope.mailError ?? error, host, isFallback);
      // RFC 5321 5.1: this server surely does not have the message, so another one may be tried
      if (end.kind === 'deferred' && progress.message === 'waits') end = { ...end, kind: 'next_server' };
    }
    const isAccepted = end.kind === 'accepted';
    return {
      outcomes: outcomesOf(envelope, to, { end, host, isFallback }),
      isClean: isAccepted,
      isWornOut: error !== null && isWornOut(envelope, error),
    };
  }

  /** Ends the connection at once, without QUIT, and returns the error. */
  #stop({ text, code }: StopReason): SmtpClientError {
    this.#failed ??= Object.assign(new Error(text), { code });
    this.#connection.close();
    return this.#failed;
  }

  /** Ends the connection because this process has to stop, and returns what to throw. */
  #cut(mayHaveArrived: boolean): TransferCut {
    const cut = new TransferCut(mayHaveArrived);
    this.#stop({ text: cut.message, code: 'ECONNECTION' });
    return cut;
  }

  async #transact(envelope: LibraryEnvelope, raw: Buffer, progress: Progress): Promise<string> {
    // Nodemailer scans a whole Buffer in one turn of the event loop, so it gets a large message in
    // pieces
    const message = raw.length > pieceBytes ? Readable.from(piecesOf(raw), { objectMode: false }) : raw;
    try {
      const response = await this.#exchange(envelope, message, progress);
      if (!(await isSoonLeft(progress))) throw this.#stop(tooEarly);
      return response;
    } finally {
      // The server answered before it had read the whole message. It would read the next commands
      // as part of the message, and nodemailer would keep the bytes that it has not written
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
      this.#abandon = () => {
        end();
        reject(this.#cut(progress.message === 'left'));
      };
      let giveUp = setTimeout(() => stop(tookTooLong), messageMs + timeForSize(envelope.size));
      this.#watchLeaving(progress, () => {
        // After the answer, this timer would end the next transaction on the connection
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

  /**
   * Notes in `progress` when nodemailer begins to write the message. Calls `onLeft` when all of it
   * has been written.
   */
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
 * Waits up to three turns of the event loop for the end of the message to be noted. The stream
 * reports its end a little after the last bytes are written, and the server's answer may be handled
 * earlier.
 */
async function isSoonLeft(progress: Progress): Promise<boolean> {
  for (let turn = 0; turn < 3 && progress.message === 'leaves'; turn += 1) await setImmediate();
  return progress.message === 'left';
}

/** How much longer a message of this size may take, in milliseconds. */
function timeForSize(bytes: number): number {
  return Math.min(bytes / leastBytesPerSecond, mostSecondsForSize) * 1000;
}

/**
 * Yields the message in pieces, one in each turn of the event loop. Otherwise a server that reads
 * as fast as this process writes would get the whole message in one turn.
 */
async function* piecesOf(raw: Buffer): AsyncGenerator<Buffer, void> {
  for (let at = 0; at < raw.length; at += pieceBytes) {
    yield raw.subarray(at, at + pieceBytes);
    await setImmediate();
  }
}
