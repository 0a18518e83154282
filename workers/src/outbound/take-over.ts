import { leaseMs } from '@selvage/core/outbound/deliveries';

/** A jump of the clock that is larger than any usual correction. */
const jumpMs = 2000;
/**
 * The longest time between two answers of the database that can't hide an outage. A runner asks at
 * least three times per lease.
 */
const silenceMs = leaseMs / 2;

/**
 * Decides when this worker takes over claims whose lease has run out. Normally their worker is
 * dead. But after an outage of the database, and after a jump of the clock, the leases of all
 * workers have run out. Those that are alive renew them within one lease. Only after that time does
 * a claim that ran out mean a dead worker. A claim that is taken over too early sends its message
 * twice.
 */
export class TakeOver {
  readonly #afterMs: number;
  /**
   * When the database was first reached since the last failure to reach it; null after a failure.
   * All moments are from `performance.now()`.
   */
  #reachableSince: number | null = null;
  #lastReached = 0;
  /** The wall clock minus the monotonic clock, in milliseconds, at the last look. */
  #clockAhead = clockAhead();
  /** Until this moment, claims may have run out only because the clock jumped. */
  #steadyFrom = 0;

  /** @param afterMs how long the database has to be reachable; 0 to take over at any time */
  constructor(afterMs: number = leaseMs) {
    this.#afterMs = afterMs;
  }

  /** Notes that the database has answered. */
  noteReached(): void {
    const now = performance.now();
    if (this.#reachableSince === null || this.#wasSilent(now)) this.#reachableSince = now;
    this.#lastReached = now;
  }

  /** Notes that the database could not be reached. */
  noteAway(): void {
    this.#reachableSince = null;
  }

  /** Whether a claim that has run out may be taken over now. */
  isSafe(): boolean {
    this.#watchClock();
    if (this.#afterMs === 0) return true;
    const now = performance.now();
    if (this.#reachableSince === null || this.#wasSilent(now)) return false;
    return now - this.#reachableSince >= this.#afterMs && now >= this.#steadyFrom;
  }

  #wasSilent(now: number): boolean {
    return now - this.#lastReached > silenceMs;
  }

  /** Notices that the clock was set forward, or that the machine woke from sleep. */
  #watchClock(): void {
    const ahead = clockAhead();
    if (ahead - this.#clockAhead > jumpMs) this.#steadyFrom = performance.now() + leaseMs;
    this.#clockAhead = ahead;
  }
}

function clockAhead(): number {
  return Date.now() - performance.now();
}
