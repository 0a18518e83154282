import type { Outcome } from './outcome.ts';
import { type Envelope, type SessionOptions, SmtpSession, tryToOpen } from './smtp-session.ts';

const idleMs = 10_000;
/** Servers limit how many messages one connection may carry, usually to a hundred or more. */
const messagesPerConnection = 100;

interface Idle {
  session: SmtpSession;
  sent: number;
  timer: NodeJS.Timeout;
}

/**
 * Keeps connections open for a moment, so that several messages to one server need one handshake.
 */
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
    // A refused message leaves its transaction open. RSET ends it
    const isClean = outcome.kind === 'accepted' || (await session.reset());
    if (isClean && session.isUsable && sent + 1 < messagesPerConnection) this.#keep(session, sent + 1);
    else session.close();
    return outcome;
  }

  /** Ends all idle connections with QUIT. */
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

  /**
   * Cuts the connections on which a message is being sent. A message without a reply counts as not
   * delivered.
   */
  abandon(): void {
    for (const session of this.#active) session.abandon();
  }

  async #reuse(options: SessionOptions): Promise<{ session: SmtpSession; sent: number } | null> {
    const key = keyOf(options);
    for (let idle = this.#idle.get(key)?.pop(); idle; idle = this.#idle.get(key)?.pop()) {
      clearTimeout(idle.timer);
      // The server may have hung up meanwhile. A RSET finds out before a message is offered
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

/** The key leaves TLS out, so a session that fell back to clear text is found as well. */
function keyOf({ address, port, serverName }: SessionOptions): string {
  return `${serverName} ${address} ${port}`;
}
