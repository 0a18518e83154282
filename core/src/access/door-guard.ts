import { log } from '../log.ts';
import { endedConnections } from '../metrics.ts';
import type { ConnectionCounts } from './connection-counts.ts';
import { type EndReason, GuardedConnection, groupKeys, type Peer, type Stage } from './guarded-connection.ts';
import { connectionCounts } from './shared-connection-counts.ts';

/** How many connections a door holds at once, over all processes of its kind. */
export interface DoorLimits {
  /** Of one IPv4 address or IPv6 /64, and of one account that is logged in. */
  perAddress: number;
  /** Of one IPv4 /24 or IPv6 /48. */
  perNetwork: number;
  total: number;
}

/** How long a connection may stay at a stage, in milliseconds; what is not named may stay. */
export type Patience = Partial<Record<Stage, number>>;

/** What a guard needs to know of its door. */
export interface DoorOptions {
  /** Its name in the log and the metrics. */
  name: string;
  limits: DoorLimits;
  patience: Patience;
  /** Least speed of a transfer over half a minute; 0 is no limit. */
  transferBytesPerSecond: number;
  counts?: ConnectionCounts;
}

const sweepMs = 1000;
const windowMs = 30_000;
const logMs = 10_000;
/** The key under which every connection counts. */
const everybody = '*';
/**
 * Which connection of a network gives way first. One whose message is decided about never does: its
 * peer would send again what may be stored already.
 */
const worth: Record<Stage, number> = {
  handshake: 0,
  silent: 0,
  logging_in: 1,
  open: 2,
  transfer: 3,
  deciding: Number.POSITIVE_INFINITY,
};

/**
 * Keeps one outsider from taking a door away from everybody else. Connections count from the
 * accept, before any byte of TLS; a full door makes room at the expense of the network with the
 * most connections; a connection that takes too long over one thing ends.
 */
export class DoorGuard {
  readonly #options: DoorOptions;
  readonly #counts: ConnectionCounts;
  readonly #connections = new Set<GuardedConnection>();
  readonly #groups = new Map<string, Set<GuardedConnection>>();
  readonly #timer: NodeJS.Timeout;
  #ended = 0;
  #loggedAt = 0;

  constructor(options: DoorOptions) {
    this.#options = options;
    this.#counts = options.counts ?? connectionCounts(options.name);
    this.#counts.onMakeRoom((group) => this.#endOneOf(group));
    this.#timer = setInterval(() => this.sweep(), sweepMs);
    this.#timer.unref();
  }

  /** How many connections are open. */
  get size(): number {
    return this.#connections.size;
  }

  /** Takes a connection that was just accepted, or says why not. The caller then ends it. */
  admit(peer: Peer, first: Stage): GuardedConnection | EndReason {
    const connection = new GuardedConnection(peer, first);
    const refused = this.#refusal(connection) ?? this.#makeRoom(connection);
    if (refused) {
      this.#note(refused, connection);
      return refused;
    }
    this.#add(connection);
    return connection;
  }

  /**
   * Counts a connection by the account it logged in to from now on. Says why the account may not
   * have another one.
   */
  signIn(connection: GuardedConnection, account: string): EndReason | null {
    if (connection.account === account || !this.#connections.has(connection)) return null;
    if (this.#isFull(account, this.#options.limits.perAddress)) {
      this.#note('account_limit', connection);
      return 'account_limit';
    }
    this.#drop(connection);
    connection.account = account;
    this.#add(connection);
    return null;
  }

  /** Counts a connection out. Harmless when called again. */
  release(connection: GuardedConnection): void {
    if (this.#connections.has(connection)) this.#drop(connection);
  }

  /** Counts out what is gone, and ends what takes too long. Runs each second. */
  sweep(now = Date.now()): void {
    for (const connection of this.#connections) {
      if (connection.peer.isGone()) this.#drop(connection);
      else {
        const reason = this.#overdue(connection, now);
        if (reason) this.#end(connection, reason);
      }
    }
  }

  /** Stops looking after the connections. */
  stop(): void {
    clearInterval(this.#timer);
  }

  #refusal({ subscriber, block }: GuardedConnection): EndReason | null {
    const { perAddress, perNetwork } = this.#options.limits;
    if (this.#isFull(subscriber, perAddress)) return 'address_limit';
    return this.#isFull(block, perNetwork) ? 'network_limit' : null;
  }

  /** Before it says yes, it looks again without the connections that ended unnoticed. */
  #isFull(key: string, limit: number): boolean {
    if (this.#counts.of(key) < limit) return false;
    for (const connection of this.#connections) if (connection.peer.isGone()) this.#drop(connection);
    return this.#counts.of(key) >= limit;
  }

  /**
   * Ends one connection when the door is full: of the largest network over all processes, here or
   * where it has the most of them; or, when all are small, one here that says nothing.
   */
  #makeRoom(newcomer: GuardedConnection): EndReason | null {
    if (!this.#isFull(everybody, this.#options.limits.total)) return null;
    const largest = this.#counts.largest(groupKeys);
    if (largest && largest.count > this.#counts.of(newcomer.group()) + 1) {
      const hasRoom = this.#endOneOf(largest.key) || this.#counts.makeRoomElsewhere(largest.key);
      return hasRoom ? null : 'door_full';
    }
    const silent = oldestSilent(this.#connections);
    if (!silent) return 'door_full';
    this.#end(silent, 'door_full');
    return null;
  }

  /** Ends the connection of a group that has the least to lose; false when none here may end. */
  #endOneOf(group: string): boolean {
    const victim = leastWorth(this.#groups.get(group) ?? new Set());
    if (victim) this.#end(victim, 'door_full');
    return victim !== null;
  }

  #overdue(connection: GuardedConnection, now: number): EndReason | null {
    const { watched, peer } = connection;
    const stage = connection.stage();
    if (stage !== watched.stage) {
      this.#watch(connection, { stage, since: now, windowStart: now, bytes: peer.bytesRead() });
      return null;
    }
    if (now - watched.since > (this.#options.patience[stage] ?? Number.POSITIVE_INFINITY)) return 'too_long';
    if (stage !== 'transfer' || now - watched.windowStart < windowMs) return null;
    const bytes = peer.bytesRead();
    const isSlow = bytes - watched.bytes < (this.#options.transferBytesPerSecond * windowMs) / 1000;
    connection.watched = { ...watched, windowStart: now, bytes };
    return isSlow ? 'too_slow' : null;
  }

  /** The stage decides whether it counts among those of its group, also for other processes. */
  #watch(connection: GuardedConnection, watched: GuardedConnection['watched']): void {
    const before = connection.keys();
    connection.watched = watched;
    const after = connection.keys();
    for (const key of before) if (!after.includes(key)) this.#counts.remove(key);
    for (const key of after) if (!before.includes(key)) this.#counts.add(key);
  }

  #end(connection: GuardedConnection, reason: EndReason): void {
    this.#drop(connection);
    this.#note(reason, connection);
    connection.end(reason);
  }

  #add(connection: GuardedConnection): void {
    this.#connections.add(connection);
    for (const key of [...connection.keys(), everybody]) this.#counts.add(key);
    const group = this.#groups.get(connection.group()) ?? new Set();
    this.#groups.set(connection.group(), group.add(connection));
  }

  #drop(connection: GuardedConnection): void {
    this.#connections.delete(connection);
    for (const key of [...connection.keys(), everybody]) this.#counts.remove(key);
    const group = this.#groups.get(connection.group());
    group?.delete(connection);
    if (group?.size === 0) this.#groups.delete(connection.group());
  }

  /** A flood must not fill the log: one line says how many there were since the last. */
  #note(reason: EndReason, { block }: GuardedConnection): void {
    const door = this.#options.name;
    endedConnections.inc({ door, reason });
    this.#ended += 1;
    const now = Date.now();
    if (now - this.#loggedAt < logMs) return;
    log.info('connections refused or ended', { door, reason, network: block, count: this.#ended, open: this.size });
    this.#ended = 0;
    this.#loggedAt = now;
  }
}

function leastWorth(group: ReadonlySet<GuardedConnection>): GuardedConnection | null {
  let least: GuardedConnection | null = null;
  let lowest = Number.MAX_VALUE;
  for (const one of group) {
    const value = worth[one.stage()];
    // The newest of equals: what has been open for longer has more to lose
    if (value <= lowest) [least, lowest] = [one, value];
  }
  return least;
}

function oldestSilent(connections: ReadonlySet<GuardedConnection>): GuardedConnection | null {
  for (const connection of connections) if (worth[connection.stage()] === 0) return connection;
  return null;
}
