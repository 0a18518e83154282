import { setTimeout as wait } from 'node:timers/promises';
import type { Ctx } from '@selvage/core/context/context';
import { claimDeliveries, type DeliveryGroup, renewLeases } from '@selvage/core/outbound/claim-deliveries';
import type { Room } from '@selvage/core/outbound/choose-due';
import { type Claims, leaseMs } from '@selvage/core/outbound/deliveries';
import { type DueDeliveries, type DueDelivery, findDue, findDueByDomain } from '@selvage/core/outbound/find-due';
import { releaseScheduled } from '@selvage/core/outbound/release-scheduled';
import { log } from '@selvage/core/log';
import { attemptGroup } from './attempt-group.ts';
import { DownDomains } from './down-domains.ts';
import { SmtpPool } from './smtp-pool.ts';
import { StsPolicies } from './sts-policies.ts';

/**
 * How long a message under way may take after the process is told to stop, which has 20 s in all.
 */
const closeGraceMs = 12_000;

/**
 * How long the database has to be reachable before a claim that ran out is taken over. After an
 * outage all claims have run out, and living workers first record the results that they hold.
 */
const takeOverAfterMs = 5000;

/** More than the clock is ever corrected by while it runs. */
const jumpMs = 2000;

/** One in this many transfers is kept for domains that have none under way. */
const reservedPart = 4;
/** Domains that are down get at most one in this many transfers. */
const downPart = 2;

/** What one pass found. */
export interface Pass {
  /** Transfers that it began. */
  begun: number;
  /** True when the next pass may find more for the room that is left. */
  hasMore: boolean;
  /** When something will be due that is not yet. */
  nextAt: Date | null;
}

/**
 * The transfers of one worker process: takes up what is due, as much as there is room for, and
 * works on it.
 */
export class DeliveryRunner {
  readonly #pool = new SmtpPool();
  readonly #policies = new StsPolicies();
  readonly #down = new DownDomains();
  readonly #limits: Pick<Room, 'transfers' | 'perDomain'>;
  readonly #running = new Map<DeliveryGroup, Promise<void>>();
  readonly #ended = new AbortController();
  readonly #takeOverAfterMs: number;
  readonly #onFreed: () => void;
  /** The first of the passes that reached the database since the last one that did not. */
  #reachableSince: number | null = null;
  /** What the clock was ahead of the time that has really passed. */
  #clockAhead = clockAhead();
  /** Before that, claims may have run out by a jump of the clock alone. */
  #steadyFrom = 0;
  /** Where the way from domain to domain goes on. */
  #after = '';
  #isRenewing = false;
  #isClosed = false;

  constructor(options: { perDomain: number; concurrency: number; takeOverAfterMs?: number; onFreed?: () => void }) {
    this.#limits = { transfers: options.concurrency, perDomain: options.perDomain };
    this.#takeOverAfterMs = options.takeOverAfterMs ?? takeOverAfterMs;
    this.#onFreed = options.onFreed ?? (() => undefined);
  }

  /** Transfers that could begin now. */
  get room(): number {
    return this.#isClosed ? 0 : this.#limits.transfers - this.#running.size;
  }

  /**
   * True while this process begins no second transfer to a domain that is busy, or none at all. It
   * then leaves due deliveries that another process may have room for.
   */
  get isCrowded(): boolean {
    return this.room <= this.#reserved;
  }

  /** True while a transfer is under way. */
  get isBusy(): boolean {
    return this.#running.size > 0;
  }

  /**
   * Takes up what is due, whether or not a job announced it: after Redis lost everything, after a
   * worker died, and while Redis is away. Begins transfers and does not wait for them. Passes must
   * not overlap.
   */
  async pass(ctx: Ctx): Promise<Pass> {
    const isMoreScheduled = await releaseScheduled(ctx);
    const { due, isCutOff, nextAt } = await this.#findDue(ctx);
    let begun = await this.#begin(ctx, due);
    if (!isCutOff || this.room === 0) return { begun, hasMore: isMoreScheduled || (isCutOff && this.room > 0), nextAt };
    const step = { after: this.#after, most: this.room, isFull: (domain: string) => this.#isFull(domain) };
    const next = await findDueByDomain(ctx, this.#claims(), step);
    this.#after = next.after;
    begun += await this.#begin(ctx, next.due);
    // At the end of a round that found no more, the next one waits for a transfer to end
    return { begun, hasMore: this.room > 0 && (next.after !== '' || begun > 0), nextAt };
  }

  /** Resolves when no transfer is under way. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  /** Finishes what is under way. The rest stays due in the database. */
  async close(graceMs = closeGraceMs): Promise<void> {
    this.#isClosed = true;
    const timer = setTimeout(() => {
      this.#pool.abandon();
      this.#ended.abort();
    }, graceMs);
    await this.idle();
    clearTimeout(timer);
    this.#ended.abort();
    this.#pool.close();
  }

  async #findDue(ctx: Ctx): Promise<DueDeliveries> {
    try {
      const found = await findDue(ctx, this.#claims());
      this.#reachableSince ??= performance.now();
      return found;
    } catch (error) {
      this.#reachableSince = null;
      throw error;
    }
  }

  #claims(): Claims {
    this.#watchClock();
    if (this.#takeOverAfterMs === 0) return { expired: true };
    const [since, now] = [this.#reachableSince, performance.now()];
    const isReachable = since !== null && now - since >= this.#takeOverAfterMs;
    return { expired: isReachable && now >= this.#steadyFrom };
  }

  /**
   * When the clock is set forward, or the machine wakes from a sleep, the claims of all workers run
   * out at once. Those that live renew theirs within the time of a lease, so it takes that long
   * until one that ran out means a dead worker.
   */
  #watchClock(): void {
    const ahead = clockAhead();
    if (ahead - this.#clockAhead > jumpMs) this.#steadyFrom = performance.now() + leaseMs;
    this.#clockAhead = ahead;
  }

  get #reserved(): number {
    return Math.floor(this.#limits.transfers / reservedPart);
  }

  #isFull(domain: string): boolean {
    let running = 0;
    for (const group of this.#running.keys()) if (group.domain === domain) running += 1;
    if (this.#down.has(domain)) return running > 0 || this.#roomForDown() <= 0;
    return running >= this.#limits.perDomain;
  }

  /** Transfers to domains that are down which could begin now. */
  #roomForDown(): number {
    let running = 0;
    for (const group of this.#running.keys()) if (this.#down.has(group.domain)) running += 1;
    return Math.ceil(this.#limits.transfers / downPart) - running;
  }

  /** Claims and begins; answers the number of transfers. */
  async #begin(ctx: Ctx, found: readonly DueDelivery[]): Promise<number> {
    // A claim may run out while the database is away; what is in hand is not taken up a second time
    const inHand = new Set(
      [...this.#running.keys()].flatMap(({ deliveries }) => deliveries.map(({ id }) => String(id))),
    );
    const due = found.filter(({ id, recipientDomain }) => !inHand.has(String(id)) && !this.#isFull(recipientDomain));
    if (due.length === 0 || this.room === 0) return 0;
    const room: Room = {
      transfers: this.room,
      reserved: this.#reserved,
      perDomain: this.#limits.perDomain,
      forDown: this.#roomForDown(),
      isDown: (domain) => this.#down.has(domain),
    };
    const groups = await claimDeliveries(ctx, due, { claims: this.#claims(), room });
    for (const group of groups) this.#running.set(group, this.#work(ctx, group));
    if (!this.#isRenewing) void this.#renew(ctx);
    return groups.length;
  }

  async #work(ctx: Ctx, group: DeliveryGroup): Promise<void> {
    try {
      const onReach = (isReached: boolean) => this.#down.note(group.domain, isReached);
      const [pool, policies, ended] = [this.#pool, this.#policies, this.#ended.signal];
      await attemptGroup(ctx, group, { pool, policies, ended, onReach });
    } catch (error) {
      // The rows keep their next time and the leases run out, so a later pass tries again
      const { mailId } = group.deliveries[0] ?? {};
      log.error('deliveries could not be worked on', { mailId, deliveries: group.deliveries.length, error });
    } finally {
      this.#running.delete(group);
      this.#onFreed();
    }
  }

  /**
   * Renews the claims on what is in hand, so that a slow server costs no second worker and a dead
   * worker no time.
   */
  async #renew(ctx: Ctx): Promise<void> {
    this.#isRenewing = true;
    while (!this.#ended.signal.aborted) {
      await wait(leaseMs / 3, undefined, { signal: this.#ended.signal, ref: false }).catch(() => undefined);
      if (this.#ended.signal.aborted) return;
      try {
        await renewLeases(
          ctx,
          [...this.#running.keys()].flatMap(({ deliveries }) => deliveries),
        );
      } catch (error) {
        // Without renewal another worker takes over at worst, and a message arrives twice rather
        // than never
        log.warn('leases could not be renewed', { error });
      }
    }
  }
}

function clockAhead(): number {
  return Date.now() - performance.now();
}
