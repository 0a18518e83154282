import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

interface PeerOptions {
  tls?: boolean;
  /** Null: sends nothing after the greeting. */
  helo?: string | null;
  /** The address from which it connects. */
  from?: string;
  /** Bytes to send at once, without waiting for the greeting. */
  hasty?: string;
}

/** A remote SMTP client that sends exactly the bytes that the test gives it. */
export class SmtpPeer {
  private readonly socket: Socket;
  private buffer = '';
  private waiting: ((reply: string) => void) | undefined;
  private isClosed = false;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      this.buffer += chunk;
      this.give();
    });
    const end = () => {
      this.isClosed = true;
      this.give();
    };
    socket.on('close', end);
    socket.on('error', end);
  }

  /** Connects, from another loopback address if one is given, and reads the greeting. */
  static async open(port: number, options: PeerOptions = {}): Promise<SmtpPeer> {
    const target = { port, host: '127.0.0.1', ...(options.from ? { localAddress: options.from } : {}) };
    const socket = options.tls ? connectTls({ ...target, rejectUnauthorized: false }) : connect(target);
    const peer = new SmtpPeer(socket);
    if (options.hasty) socket.write(options.hasty);
    await peer.reply();
    if (options.helo !== null) await peer.command(`EHLO ${options.helo ?? 'peer.remote.test'}`);
    return peer;
  }

  /** Reads the next reply with all its lines; empty when the server closed the connection. */
  reply(): Promise<string> {
    return new Promise((resolve) => {
      this.waiting = resolve;
      this.give();
    });
  }

  /** Sends one line and reads its reply. */
  command(line: string): Promise<string> {
    return this.send(`${line}\r\n`);
  }

  /** Sends bytes as they are and reads one reply. */
  send(bytes: string | Buffer): Promise<string> {
    if (!this.isClosed) this.socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
    return this.reply();
  }

  /** Sends bytes as they are; resolves when the peer has taken them all. */
  write(bytes: string | Buffer): Promise<void> {
    return new Promise((resolve) => this.socket.write(bytes, () => resolve()));
  }

  /** Sends AUTH PLAIN and returns the reply. */
  signIn(address: string, password: string): Promise<string> {
    return this.command(`AUTH PLAIN ${Buffer.from(`\0${address}\0${password}`).toString('base64')}`);
  }

  /**
   * Sends MAIL, RCPT and DATA with one message. Returns the first reply that refuses a command, or
   * the reply to the message.
   */
  async deliver(from: string, to: string | string[], message: string | Buffer): Promise<string> {
    const commands = [`MAIL FROM:<${from}>`, ...[to].flat().map((address) => `RCPT TO:<${address}>`), 'DATA'];
    for (const line of commands) {
      const reply = await this.command(line);
      if (!/^[23]/.test(reply)) return reply;
    }
    const bytes = Buffer.isBuffer(message) ? message : Buffer.from(message, 'utf8');
    return await this.send(Buffer.concat([bytes, Buffer.from('\r\n.\r\n')]));
  }

  /**
   * As `deliver`, but sends all commands at once and then reads their replies (RFC 2920). For a
   * server that supports PIPELINING.
   */
  async deliverAtOnce(from: string, to: readonly string[], message: string): Promise<string> {
    const commands = [`MAIL FROM:<${from}>`, ...to.map((address) => `RCPT TO:<${address}>`), 'DATA'];
    const replies = [await this.send(`${commands.join('\r\n')}\r\n`)];
    while (replies.length < commands.length) replies.push(await this.reply());
    const refused = replies.find((reply) => !/^[23]/.test(reply));
    return refused ?? (await this.send(Buffer.from(`${message}\r\n.\r\n`)));
  }

  close(): void {
    this.socket.destroy();
  }

  private give(): void {
    if (!this.waiting) return;
    const match = /^(?:\d{3}-[^\n]*\n)*\d{3}(?: [^\n]*)?\n/.exec(this.buffer);
    if (!match && !this.isClosed) return;
    const reply = match ? match[0] : '';
    this.buffer = this.buffer.slice(reply.length);
    const { waiting } = this;
    this.waiting = undefined;
    waiting(reply.trimEnd());
  }
}

/** A small message with its own Message-ID. */
export function plainMessage(fields: {
  from: string;
  to: string;
  subject: string;
  body?: string;
  headers?: string;
}): string {
  const id = `${Math.random().toString(36).slice(2)}${Date.now()}@remote.test`;
  return [
    `From: Foreign Sender <${fields.from}>`,
    `To: ${fields.to}`,
    `Subject: ${fields.subject}`,
    `Date: ${new Date().toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${id}>`,
    ...(fields.headers ? [fields.headers] : []),
    '',
    fields.body ?? 'Hello from afar.',
  ].join('\r\n');
}
