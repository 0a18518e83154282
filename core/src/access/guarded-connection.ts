import { blockOf, subscriberOf } from './network-of.ts';

/**
 * The stage of a connection:
 * - `handshake`: TLS is being set up;
 * - `silent`: the peer has not sent its first command;
 * - `logging_in`: the peer has sent a command, and must log in before it may do anything else;
 * - `open`: the conversation goes on;
 * - `transfer`: a message or an upload arrives;
 * - `deciding`: a message has arrived whole, and its peer waits for the answer.
 */
export type Stage = 'handshake' | 'silent' | 'logging_in' | 'open' | 'transfer' | 'deciding';

/** Why a door does not take a connection, or ends it. */
export type EndReason = 'address_limit' | 'network_limit' | 'account_limit' | 'door_full' | 'too_long' | 'too_slow';

/** A connection, or a request behind a proxy, as the guard of a door sees it. */
export interface Peer {
  /** The address of the peer, never of a proxy. */
  address: string;
  /** Ends it at once. */
  destroy(): void;
  /**
   * True once the connection has ended. The guard polls this, because the libraries remove
   * listeners from a socket that they put TLS on.
   */
  isGone(): boolean;
  /** Bytes received so far. */
  bytesRead(): number;
}

/** The prefix of the keys of groups. */
export const groupKeys = 'group ';

const lingerMs = 1000;

/**
 * One connection that a door has admitted. The door sets how its stage is found and how it ends.
 */
export class GuardedConnection {
  readonly peer: Peer;
  readonly subscriber: string;
  readonly block: string;
  /**
   * The account that the peer logged in to. From then on the connection counts by account and no
   * longer by address.
   */
  account: string | null = null;
  /** Answers the current stage. The door sets it. */
  stage: () => Stage;
  /**
   * Ends the connection at once. It destroys the uppermost socket, since Node crashes when the
   * socket below a TLS handshake is destroyed.
   */
  destroy: () => void;
  /**
   * Tells the peer why the connection ends, and ends it; null where the door has no such message.
   */
  takeLeave: ((reason: EndReason) => void) | null = null;
  /**
   * The guard's own notes: the stage, when it began, and the start of the window of the speed
   * limit. The moments are from `performance.now()`: a clock that is set forward must not end all
   * connections of a door.
   */
  watched: { stage: Stage; since: number; windowStart: number; bytes: number };

  constructor(peer: Peer, first: Stage) {
    this.peer = peer;
    this.subscriber = subscriberOf(peer.address);
    this.block = blockOf(peer.address);
    this.stage = () => first;
    this.destroy = () => peer.destroy();
    const now = performance.now();
    this.watched = { stage: first, since: now, windowStart: now, bytes: peer.bytesRead() };
  }

  /**
   * The keys that the connection counts under. It counts in its group only while it may be ended to
   * make room.
   */
  keys(): string[] {
    const own = this.account === null ? [this.subscriber, this.block] : [this.account];
    return this.watched.stage === 'deciding' ? own : [...own, this.group()];
  }

  /**
   * The key of the group in which connections compete for a full door: the account, or the network.
   */
  group(): string {
    return groupKeys + (this.account ?? this.block);
  }

  /** Ends the connection: with a message to the peer where the door has one, else at once. */
  end(reason: EndReason): void {
    if (!this.takeLeave) return this.destroy();
    this.takeLeave(reason);
    // A peer that does not read must not keep the connection
    setTimeout(() => this.destroy(), lingerMs).unref();
  }
}
