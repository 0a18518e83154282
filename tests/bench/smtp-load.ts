import { type ChildProcess, spawn } from 'node:child_process';
import { SmtpPeer } from '../support/smtp-peer.ts';

/** A receiving server that accepts every message and counts them. */
export interface Sink {
  count(): number;
  stop(): void;
}

/** Starts smtp-sink on a loopback port. */
export function startSink(port: number): Sink {
  const child: ChildProcess = spawn('smtp-sink', ['-u', 'postfix', '-c', `127.0.0.1:${port}`, '200'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let messages = 0;
  child.stdout?.setEncoding('latin1').on('data', (text: string) => {
    messages = Number(/.*mesg=(\d+)/s.exec(text)?.[1] ?? messages);
  });
  return { count: () => messages, stop: () => void child.kill() };
}

/** What is sent, and through which door. */
export interface Load {
  port: number;
  tls: boolean;
  signIn: { address: string; password: string } | null;
  from: string;
  connections: number;
}

/** Connections that are open and logged in, so that a round measures only messages. */
export class LoadPeers {
  readonly #peers: SmtpPeer[];
  readonly #from: string;

  private constructor(peers: SmtpPeer[], from: string) {
    this.#peers = peers;
    this.#from = from;
  }

  static async open({ port, tls, signIn, from, connections }: Load): Promise<LoadPeers> {
    const peers: SmtpPeer[] = [];
    for (let i = 0; i < connections; i += 1) {
      const peer = await SmtpPeer.open(port, { tls });
      const welcome = signIn ? await peer.signIn(signIn.address, signIn.password) : '235';
      if (!welcome.startsWith('235')) throw new Error(`the sign-in was answered ${welcome}`);
      peers.push(peer);
    }
    return new LoadPeers(peers, from);
  }

  /**
   * Sends this many messages in total. Each connection sends one after the other, and the commands
   * before the message in one go, as a relay does.
   */
  async send(count: number, recipients: string[], size: number): Promise<void> {
    let left = count;
    const run = async (peer: SmtpPeer): Promise<void> => {
      while (left > 0) {
        left -= 1;
        const reply = await peer.deliverAtOnce(this.#from, recipients, messageOf(this.#from, recipients, size));
        if (!reply.startsWith('250')) throw new Error(`a message was answered ${reply}`);
      }
    };
    await Promise.all(this.#peers.map(run));
  }

  close(): void {
    for (const peer of this.#peers) peer.close();
  }
}

let number = 0;

/**
 * A message of about this many bytes. Each differs from all others, since equal bytes would be
 * stored only once.
 */
function messageOf(from: string, recipients: string[], size: number): string {
  number += 1;
  const header = [
    `From: <${from}>`,
    `To: <${recipients[0] ?? ''}>`,
    `Subject: bench ${number}`,
    `Date: ${new Date().toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${number}.${process.pid}.${Date.now()}@bench.test>`,
  ].join('\r\n');
  const line = 'Mail is carried from one host to the next until it arrives.\r\n';
  return `${header}\r\n\r\n${line.repeat(Math.max(1, Math.floor((size - header.length) / line.length)))}`;
}
