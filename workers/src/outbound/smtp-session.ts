import { isAscii } from 'node:buffer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { type Outcome, type SmtpClientError, cleanReply, judgeConnectFailure, judgeSendFailure } from './outcome.ts';

/** Where to connect and how long to wait. */
export interface SessionOptions {
  /** The address to connect to. */
  address: string;
  port: number;
  /** The server's name: for SNI, the ledger and the log. */
  serverName: string;
  /** The name of this host in EHLO. */
  clientName: string;
  timeouts: SmtpTimeouts;
  /**
   * How TLS is used: when offered, never (a handshake has just failed), always, or from the first
   * byte.
   */
  tls: 'opportunistic' | 'none' | 'required' | 'implicit';
  credentials?: { user: string; password: string };
}

/** Milliseconds. RFC 5321 4.5.3.2 advises minutes; a busy queue needs less. */
export interface SmtpTimeouts {
  connect: number;
  greeting: number;
  /** Silence of the server at any later moment. */
  silence: number;
  /**
   * One whole message, so that a server that answers a little at a time cannot hold a worker for
   * ever.
   */
  message: number;
}

/** One envelope with one recipient, and the exact bytes to send. */
export interface Envelope {
  from: string;
  to: string;
  raw: Buffer;
}

/** Properties of the library's connection that its types leave out. */
interface ConnectionInside {
  _supportedExtensions: string[];
  /** From the answer to STARTTLS to the end of the handshake. */
  upgrading?: boolean;
}

/** A connection to one mail server that can carry several messages, one after the other. */
export class SmtpSession {
  readonly options: SessionOptions;
  readonly #connection: SMTPConnection;
  #failed: SmtpClientError | null = null;
  #abandon: (() => void) | null = null;

  private constructor(options: SessionOptions, connection: SMTPConnection) {
    this.options = options;
    this.#connection = connection;
    connection.on('error', (error: SmtpClientError) => {
      error.isTlsFailure = error.code === 'ETLS' || (connection as unknown as ConnectionInside).upgrading === true;
      this.#failed = error;
    });
    connection.once('end', () => {
      this.#failed ??= new Error('Connection closed');
    });
  }

  /**
   * Connects, greets and starts TLS as the options say.
   * @throws SmtpClientError
   */
  static async open(options: SessionOptions): Promise<SmtpSession> {
    const connection = new SMTPConnection(connectionOptions(options));
    const session = new SmtpSession(options, connection);
    try {
      await new Promise<void>((resolve, reject) => {
        connection.once('error', reject);
        connection.once('end', () => reject(session.#failed ?? new Error('Connection closed')));
        connection.connect((error?: unknown) => (error ? reject(error) : resolve()));
      });
      if (options.credentials) await session.#login(options.credentials);
    } catch (error) {
      connection.close();
      throw error;
    }
    return session;
  }

  /** Whether another message can be sent through it, as far as is known without asking. */
  get isUsable(): boolean {
    return this.#failed === null;
  }

  /** Says whether the server supports an extension of SMTP. */
  supports(extension: string): boolean {
    return (this.#connection as unknown as ConnectionInside)._supportedExtensions.includes(extension);
  }

  /** Offers one message to one recipient and returns the outcome. Never throws. */
  async send(envelope: Envelope): Promise<Outcome> {
    const host = this.options.serverName;
    if (needsUtf8(envelope) && !this.supports('SMTPUTF8')) {
      // RFC 6531 3.2: such an address must not be sent to a server that does not know the extension
      const reply = '550 5.6.7 the server does not support internationalised addresses';
      return { kind: 'refused', reason: 'remote_refused', reply, host };
    }
    try {
      const reply = await this.#transact(envelope);
      return { kind: 'accepted', reason: 'remote_accepted', reply: cleanReply(reply), host };
    } catch (error) {
      return judgeSendFailure(error as SmtpClientError, host);
    }
  }

  /** Sends RSET, which drops a refused message and shows whether the server is still there. */
  async reset(): Promise<boolean> {
    if (!this.isUsable) return false;
    return new Promise<boolean>((resolve) => {
      const onEnd = () => resolve(false);
      this.#connection.once('end', onEnd);
      this.#connection.reset((error?: unknown) => {
        this.#connection.off('end', onEnd);
        resolve(!error && this.isUsable);
      });
    });
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
      this.#connection.login({ credentials: { user: credentials.user, pass: credentials.password } }, (error) =>
        error ? reject(error) : resolve(),
      );
    });
  }

  #transact({ from, to, raw }: Envelope): Promise<string> {
    return new Promise<string>((resolve, reject) => {
      const stop = (text: string, code: string) => {
        this.#failed ??= Object.assign(new Error(text), { code });
        this.#connection.close();
        reject(this.#failed);
      };
      this.#abandon = () => stop('This host had to hang up', 'ECONNECTION');
      const limit = this.options.timeouts.message;
      const giveUp = setTimeout(() => stop('The server took too long', 'ETIMEDOUT'), limit);
      const envelope = { from, to: [to], size: raw.length, use8BitMime: !isAscii(raw) };
      this.#connection.send(envelope, raw, (error, info) => {
        clearTimeout(giveUp);
        if (error) reject(error);
        else resolve(info.response);
      });
    });
  }
}

/**
 * Opens a session with opportunistic TLS: an unproven certificate is better than none. When the
 * handshake itself fails, the message goes in the clear, as it would to a server without STARTTLS
 * (RFC 7435).
 */
async function openOpportunistically(options: SessionOptions): Promise<SmtpSession> {
  try {
    return await SmtpSession.open(options);
  } catch (error) {
    if (options.tls !== 'opportunistic' || !(error as SmtpClientError).isTlsFailure) throw error;
    return await SmtpSession.open({ ...options, tls: 'none' });
  }
}

/** Opens a session, or returns the outcome of the failure. */
export async function tryToOpen(options: SessionOptions): Promise<SmtpSession | Outcome> {
  try {
    return await openOpportunistically(options);
  } catch (error) {
    const outcome = judgeConnectFailure(error as SmtpClientError, options.serverName);
    const isTlsFailure = (error as SmtpClientError).isTlsFailure === true;
    return isTlsFailure ? { ...outcome, reason: 'tls_required_failed' } : outcome;
  }
}

function connectionOptions(options: SessionOptions): SMTPConnection.Options {
  return {
    host: options.address,
    port: options.port,
    name: options.clientName,
    secure: options.tls === 'implicit',
    ignoreTLS: options.tls === 'none',
    requireTLS: options.tls === 'required',
    opportunisticTLS: options.tls === 'opportunistic',
    tls: {
      servername: options.serverName,
      // Opportunistic: mail that may go in the clear gains nothing from refusing an unproven
      // certificate
      rejectUnauthorized: options.tls === 'required' || options.tls === 'implicit',
    },
    // The operator, or a look-up, may name hosts on loopback and private networks
    allowInternalNetworkInterfaces: true,
    connectionTimeout: options.timeouts.connect,
    greetingTimeout: options.timeouts.greeting,
    socketTimeout: options.timeouts.silence,
    socketCloseTimeout: 1000,
    logger: false,
  };
}

function needsUtf8({ from, to }: Envelope): boolean {
  return !isAscii(Buffer.from(from + to));
}
