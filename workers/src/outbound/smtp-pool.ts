import type { Outcome } from './outcome.ts';
import { type Envelope, type SessionOptions, SmtpSession, tryToOpen } from './smtp-session.ts';

const idleMs = 10_000;
/** A server may count the messages of a connection; none minds a hundred. */
const messagesPerConnection = 100;

interface Idle {
  session: SmtpSession;
  sent: number;
  timer: NodeJS.Timeout;
}

/** Keeps connections open for a moment, so that several messages to one server need one handshake. */
export class SmtpPool {
  readonly #idle = new Map<string, Idle[]>();
  readonly #idleMs: number;
  readonly #active = new Set<SmtpSession>();
  #isClosed = false;

  constructor(options: { idleMs?: number } = {}) {
    this.#idleMs = options.idleMs ?? idleMs;
  }

  /** Sends through a waiting connection to the same server, or through a new one. Never throws. */
  async send(options: SessionOptions, envelope: Envelope): Promise<Outcome> {
    const { session, sent } = (await this.#reuse(options)) ?? { session: await tryToOpen(options), sent: 0 };
    if (!(session instanceof SmtpSession)) return session;
    this.#active.add(session);
    const outcome = await session.send(envelope).finally(() => this.#active.delete(session));
    // A refused message leaves the conversation in the middle of a transaction; RSET ends it
    const isClean = outcome.kind === 'accepted' || (await session.reset());
    if (isClean && session.isUsable && sent + 1 < messagesPerConnection) this.#keep(session, sent + 1);
    else session.close();
    return outcome;
  }

  /** Says goodbye to every server. */
  close(): void {
    this.#isClosed = true;
    for (const waiting of this.#idle.values()) {
      for (const { session, timer } of waiting) {
        clearTimeout(timer);
        session.close();
      }
    }
    this.#idle.clear();
  }

  /** Cuts the connections on which something is still being sent: what was not answered counts as not delivered. */
  abandon(): void {
    for (const session of this.#active) session.abandon();
  }

  async #reuse(options: SessionOptions): Promise<{ session: SmtpSession; sent: number } | null> {
    const key = keyOf(options);
    for (let idle = this.#idle.get(key)?.pop(); idle; idle = this.#idle.get(key)?.pop()) {
      clearTimeout(idle.timer);
      // The server may have hung up meanwhile; asking first means that no message is lost in between
      if (await idle.session.reset()) return { session: idle.session, sent: idle.sent };
      idle.session.close();
    }
    this.#idle.delete(key);
    return null;
  }

  #keep(session: SmtpSession, sent: number): void {
    if (this.#isClosed) return session.close();
    const key = keyOf(session.options);
    const waiting = this.#idle.get(key) ?? [];
    const idle: Idle = { session, sent, timer: setTimeout(() => this.#expire(key, idle), this.#idleMs) };
    waiting.push(idle);
    this.#idle.set(key, waiting);
  }

  #expire(key: string, idle: Idle): void {
    const waiting = (this.#idle.get(key) ?? []).filter((other) => other !== idle);
    if (waiting.length > 0) this.#idle.set(key, waiting);
    else this.#idle.delete(key);
    idle.session.close();
  }
}

/** TLS fallback included: a server is the same server in the clear. */
function keyOf({ address, port, serverName }: SessionOptions): string {
  return `${serverName} ${address} ${port}`;
}
