import { type Outcome, TransferCut } from './outcome.ts';
import type { SessionOptions } from './session-options.ts';
import { type Envelope, SmtpSession } from './smtp-session.ts';
import { tryToOpen } from './open-session.ts';

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
  readonly #abandoned = new AbortController();
  #isClosed = false;

  constructor(options: { idleMs?: number } = {}) {
    this.#idleMs = options.idleMs ?? idleMs;
  }

  /**
   * Sends one transaction through an idle connection to the same server, or through a new one.
   * Returns one outcome for each recipient.
   * @throws TransferCut when `abandon` cut the connection before the server had answered
   */
  async send(options: SessionOptions, envelope: Envelope): Promise<Outcome[]> {
    for (let idle = this.#take(options); idle; idle = this.#take(options)) {
      const outcomes = await this.#sendThrough(idle.session, idle.sent, envelope);
      if (outcomes !== null) return outcomes;
    }
    const opened = await tryToOpen(options, this.#abandoned.signal);
    if (!(opened instanceof SmtpSession)) return envelope.to.map(() => opened);
    return (await this.#sendThrough(opened, 0, envelope)) ?? [];
  }

  /**
   * Sends one transaction through a connection. Returns null when a connection that had carried
   * earlier messages failed before the server took any of this one, or takes no further message:
   * servers that limit the messages of a connection then answer MAIL with 421 or 5xx. The caller
   * then tries another connection. The answer of a new connection counts.
   */
  async #sendThrough(session: SmtpSession, sent: number, envelope: Envelope): Promise<Outcome[] | null> {
    this.#active.add(session);
    try {
      const { outcomes, isClean, isWornOut } = await session.send(envelope);
      if (isWornOut && sent > 0 && !this.#isClosed) {
        session.close();
        return null;
      }
      // A refused message leaves its transaction open. RSET ends it
      const isReady = isClean || (await session.reset());
      if (isReady && session.isUsable && sent + 1 < messagesPerConnection) this.#keep(session, sent + 1);
      else session.close();
      return outcomes.map((outcome) => ({ ...outcome, tls: session.reached }));
    } finally {
      this.#active.delete(session);
    }
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
   * Cuts the connections that are being opened or are in use. From now on, `send` sends nothing.
   */
  abandon(): void {
    this.#abandoned.abort();
    for (const session of this.#active) session.abandon();
  }

  /**
   * Takes the idle connection that was used last, since its server is the least likely to have
   * closed it.
   * @throws TransferCut after `abandon`
   */
  #take(options: SessionOptions): Idle | null {
    if (this.#abandoned.signal.aborted) throw new TransferCut(false);
    const key = keyOf(options);
    for (let idle = this.#idle.get(key)?.pop(); idle; idle = this.#idle.get(key)?.pop()) {
      clearTimeout(idle.timer);
      if (idle.session.isUsable) return idle;
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

/**
 * The key of idle connections. It leaves `tls` out, so that a session that fell back to clear text
 * is used again. It includes the proof, so that a delivery that demands one never goes through a
 * session that gave none.
 */
function keyOf({ address, port, serverName, proof }: SessionOptions): string {
  return `${serverName} ${address} ${port} ${JSON.stringify(proof ?? null)}`;
}
