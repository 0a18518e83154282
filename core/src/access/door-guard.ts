import { log } from '../log.ts';
import { endedConnections } from '../metrics.ts';
import type { ConnectionCounts } from './connection-counts.ts';
import { type EndReason, GuardedConnection, groupKeys, type Peer, type Stage } from './guarded-connection.ts';
import { connectionCounts } from './shared-connection-counts.ts';

/**
 * How many connections a door (a service that listens, such as SMTP or the API) holds at once, over
 * all processes of its kind.
 */
export interface DoorLimits {
  /** Of one IPv4 address or IPv6 /64, and of one account that is logged in. */
  perAddress: number;
  /** Of one IPv4 /24 or IPv6 /48. */
  perNetwork: number;
  total: number;
}

/**
 * How long a connection may stay at a stage, in milliseconds. A stage that is left out has no
 * limit.
 */
export type Patience = Partial<Record<Stage, number>>;

/** What a guard needs to know of its door. */
export interface DoorOptions {
  /** Its name in the log and the metrics. */
  name: string;
  limits: DoorLimits;
  patience: Patience;
  /** Minimum speed of a transfer, measured over half a minute; 0 means no minimum. */
  transferBytesPerSecond: number;
  counts?: ConnectionCounts;
}

const sweepMs = 1000;
const windowMs = 30_000;
const logMs = 10_000;
/** The key under which every connection is counted. */
const everybody = '*';
/**
 * Which connection of a group is ended first: the one with the lowest value. A connection that
 * waits for the answer to a whole message is never ended. Its peer would send the message again,
 * which may be stored already.
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
 * Keeps one outsider from using up the connections of a door. Connections count from the accept,
 * before any byte of TLS. A full door ends a connection of the network with the most connections. A
 * connection that takes too long over one stage is ended.
 */
export class DoorGuard {
  readonly #options: DoorOptions;
  readonly #counts: ConnectionCounts;
  readonly #connections = new Set<GuardedConnection>();
  readonly #groups = new Map<string, Set<GuardedConnection>>();
  readonly #timer: NodeJS.Timeout;
  #ended = 0;
  #loggedAt = Number.NEGATIVE_INFINITY;

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

  /** Admits a connection that was just accepted, or answers why not. The caller then ends it. */
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
   * Counts a connection from now on by the account that it logged in to. Answers why the account
   * may not have another connection; null when it may.
   */
  logIn(connection: GuardedConnection, account: string): EndReason | null {
    if (connection.account === account || !this.#connections.has(connection)) return null;
    if (this.#dropClosedAndCheck(account, this.#options.limits.perAddress)) {
      this.#note('account_limit', connection);
      return 'account_limit';
    }
    this.#drop(connection);
    connection.account = account;
    this.#add(connection);
    return null;
  }

  /** Stops counting a connection. Harmless when called again. */
  release(connection: GuardedConnection): void {
    if (this.#connections.has(connection)) this.#drop(connection);
  }

  /**
   * Stops counting closed connections, and ends those that take too long. Runs each second.
   * @param now from `performance.now()`
   */
  sweep(now = performance.now()): void {
    for (const connection of this.#connections) {
      if (connection.peer.isGone()) this.#drop(connection);
      else {
        const reason = this.#overdue(connection, now);
        if (reason) this.#end(connection, reason);
      }
    }
  }

  /** Stops watching the connections. */
  stop(): void {
    clearInterval(this.#timer);
  }

  #refusal({ subscriber, block }: GuardedConnection): EndReason | null {
    const { perAddress, perNetwork } = this.#options.limits;
    if (this.#dropClosedAndCheck(subscriber, perAddress)) return 'address_limit';
    return this.#dropClosedAndCheck(block, perNetwork) ? 'network_limit' : null;
  }

  /**
   * Drops connections that have closed unnoticed, if the limit seems to be reached, and then says
   * whether it is.
   */
  #dropClosedAndCheck(key: string, limit: number): boolean {
    if (this.#counts.of(key) < limit) return false;
    for (const connection of this.#connections) if (connection.peer.isGone()) this.#drop(connection);
    return this.#counts.of(key) >= limit;
  }

  /**
   * Ends one connection when the door is full. The connection belongs to the largest group over all
   * processes, if that is larger than the newcomer's. It is one of this process if possible, else
   * one of another process. Otherwise a silent connection of this process is ended, if its group is
   * larger than the newcomer's or the same.
   */
  #makeRoom(newcomer: GuardedConnection): EndReason | null {
    if (!this.#dropClosedAndCheck(everybody, this.#options.limits.total)) return null;
    const largest = this.#counts.largest(groupKeys);
    if (largest && largest.count > this.#counts.of(newcomer.group()) + 1) {
      const hasRoom = this.#endOneOf(largest.key) || this.#counts.makeRoomElsewhere(largest.key);
      return hasRoom ? null : 'door_full';
    }
    const silent = this.#silentOfLargest(newcomer.group());
    if (!silent) return 'door_full';
    this.#end(silent, 'door_full');
    return null;
  }

  /**
   * The oldest silent connection of the largest group that has one here. A smaller group than the
   * newcomer's keeps its connections: each honest one is silent at first, and a network that fills
   * the door must not push those out.
   */
  #silentOfLargest(own: string): GuardedConnection | null {
    let found: GuardedConnection | null = null;
    let most = this.#counts.of(own);
    for (const connection of this.#connections) {
      if (worth[connection.stage()] > 0) continue;
      const group = connection.group();
      const count = this.#counts.of(group);
      if (count > most || (found === null && group === own)) [found, most] = [connection, count];
    }
    return found;
  }

  /**
   * Ends the connection of a group that has the least to lose; false when none here may be ended.
   */
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

  /**
   * Notes the stage of a connection. A `deciding` connection does not count in its group, so the
   * counts change with the stage, in other processes too.
   */
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

  /**
   * Counts a connection that was refused or ended. So that a flood does not fill the log, there is
   * at most one line every ten seconds, with the number since the last line.
   */
  #note(reason: EndReason, { block }: GuardedConnection): void {
    const door = this.#options.name;
    endedConnections.inc({ door, reason });
    this.#ended += 1;
    const now = performance.now();
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
    // The newest of equals: a connection that has been open for longer has more to lose
    if (value <= lowest) [least, lowest] = [one, value];
  }
  return least;
}
