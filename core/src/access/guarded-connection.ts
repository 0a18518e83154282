import { blockOf, subscriberOf } from './network-of.ts';

/**
 * What a connection is at:
 * - `handshake`: TLS is being set up;
 * - `silent`: the peer has not said its first command;
 * - `logging_in`: it has, and must log in before anything else;
 * - `open`: the conversation goes on;
 * - `transfer`: a message or an upload arrives;
 * - `deciding`: a message has come whole, and its peer waits for the answer.
 */
export type Stage = 'handshake' | 'silent' | 'logging_in' | 'open' | 'transfer' | 'deciding';

/** Why a door does not take a connection, or ends it. */
export type EndReason = 'address_limit' | 'network_limit' | 'account_limit' | 'door_full' | 'too_long' | 'too_slow';

/** A connection, or a request behind a proxy, as the guard of a door sees it. */
export interface Peer {
  /** Of the peer, never of a proxy. */
  address: string;
  /** Ends it at once. */
  destroy(): void;
  /**
   * True once it has ended; asked because the libraries remove listeners from a socket they put TLS
   * on.
   */
  isGone(): boolean;
  /** Bytes that have come so far. */
  bytesRead(): number;
}

/** The beginning of the keys of groups. */
export const groupKeys = 'group ';

const lingerMs = 1000;

/** One connection that a door has taken. The door says what it is at, and how to take leave. */
export class GuardedConnection {
  readonly peer: Peer;
  readonly subscriber: string;
  readonly block: string;
  /**
   * The account that the peer logged in to; its connections count by it and no longer by address.
   */
  account: string | null = null;
  /** The door's answer to what the connection is at. */
  stage: () => Stage;
  /**
   * Ends it at once: by the uppermost socket, since Node crashes when one is torn away under a TLS
   * handshake.
   */
  destroy: () => void;
  /** Says to the peer why the connection ends, and ends it. */
  takeLeave: ((reason: EndReason) => void) | null = null;
  /** Since when it is at its stage; the guard's own notes. */
  watched: { stage: Stage; since: number; windowStart: number; bytes: number };

  constructor(peer: Peer, first: Stage) {
    this.peer = peer;
    this.subscriber = subscriberOf(peer.address);
    this.block = blockOf(peer.address);
    this.stage = () => first;
    this.destroy = () => peer.destroy();
    const now = Date.now();
    this.watched = { stage: first, since: now, windowStart: now, bytes: peer.bytesRead() };
  }

  /** The keys that it counts under: that of its group only while it could give way to others. */
  keys(): string[] {
    const own = this.account === null ? [this.subscriber, this.block] : [this.account];
    return this.watched.stage === 'deciding' ? own : [...own, this.group()];
  }

  /**
   * The group in which connections compete for a full door, with a key of its own among those that
   * are counted.
   */
  group(): string {
    return groupKeys + (this.account ?? this.block);
  }

  /** Ends it: with a word where the door knows one, and at once where it does not. */
  end(reason: EndReason): void {
    if (!this.takeLeave) return this.destroy();
    this.takeLeave(reason);
    // A peer that does not read must not keep the connection
    setTimeout(() => this.destroy(), lingerMs).unref();
  }
}
