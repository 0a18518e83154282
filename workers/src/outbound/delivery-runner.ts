import { setTimeout as wait } from 'node:timers/promises';
import type { Ctx } from '@selvage/core/context/context';
import { claimDeliveries, type DeliveryGroup, renewLeases } from '@selvage/core/outbound/claim-deliveries';
import { laneOf, type Room } from '@selvage/core/outbound/choose-due';
import { type Claims, leaseMs } from '@selvage/core/outbound/deliveries';
import { type DueDelivery, findDueByDomain, findDueHere, queueAndFindDue } from '@selvage/core/outbound/find-due';
import { endTransfer } from '@selvage/core/outbound/transfers';
import { releaseScheduled } from '@selvage/core/outbound/release-scheduled';
import { log } from '@selvage/core/log';
import { attemptGroup } from './attempt-group.ts';
import { DownLanes } from './down-lanes.ts';
import { OwnIpv6 } from './own-ipv6.ts';
import { SmtpPool } from './smtp-pool.ts';
import { StsPolicies } from './sts-policies.ts';
import { TakeOver } from './take-over.ts';

/**
 * How long a transfer may still take after the process is told to stop. The process has 20 s in
 * all.
 */
const closeGraceMs = 12_000;

/** How long a transfer waits for memory before its deliveries are postponed. */
const memoryPatienceMs = 2000;

/** How often this worker renews its claims. */
const renewEveryMs = leaseMs / 3;
/** How soon it tries again after a failure. */
const renewAgainMs = 1000;

/** One in this many transfers is reserved for lanes that have no transfer under way. */
const reservedPart = 4;
/** Domains that are down get at most one in this many transfers. */
const downPart = 2;
/**
 * Automatic messages get at most one in this many transfers: strangers decide how many answers an
 * absent person writes, and to which servers. Half of them are kept for lanes that are not down.
 */
const automaticPart = 5;
/**
 * For each of this many transfers to other hosts, there may be one to a domain that is hosted here.
 * So mail between colleagues never waits for the servers of others.
 */
const hostedPart = 2;
/** The most scheduled messages that wait in one process to become drafts. */
const mostRefusals = 20;

/** The result of one pass. */
export interface Pass {
  /** How many transfers the pass began. */
  begun: number;
  /** Whether another pass may find more work for the transfers that are still free. */
  hasMore: boolean;
  /** When the next delivery that is not due yet becomes due; null when none waits. */
  nextAt: Date | null;
}

/**
 * Claims due deliveries and runs their transfers in one worker process, as many as its limits
 * allow.
 */
export class DeliveryRunner {
  readonly #pool = new SmtpPool();
  readonly #policies = new StsPolicies();
  readonly #ownIpv6 = new OwnIpv6();
  readonly #down = new DownLanes();
  readonly #limits: Pick<Room, 'transfers' | 'perDomain'>;
  readonly #running = new Map<DeliveryGroup, Promise<void>>();
  readonly #ended = new AbortController();
  readonly #takeOver: TakeOver;
  readonly #memoryPatienceMs: number;
  readonly #onFreed: () => void;
  /**
   * The domain after which the next `findDueByDomain` continues; empty at the beginning of a round.
   */
  #after = '';
  /** The same for `findDueHere`. */
  #afterHere = '';
  /** Resolves when no pass is under way. */
  #passed: Promise<void> = Promise.resolve();
  /** How many scheduled messages wait to be refused, and what resolves when none does. */
  #refusals = 0;
  #refusing: Promise<void> = Promise.resolve();
  #isRenewing = false;
  #isClosed = false;

  constructor(options: {
    perDomain: number;
    concurrency: number;
    takeOverAfterMs?: number;
    memoryPatienceMs?: number;
    onFreed?: () => void;
  }) {
    this.#limits = { transfers: options.concurrency, perDomain: options.perDomain };
    this.#takeOver = new TakeOver(options.takeOverAfterMs);
    this.#memoryPatienceMs = options.memoryPatienceMs ?? memoryPatienceMs;
    this.#onFreed = options.onFreed ?? (() => undefined);
  }

  /** Whether a transfer of any kind could begin now. */
  get hasRoom(): boolean {
    return this.room > 0 || this.#roomHere > 0;
  }

  /** How many transfers to other hosts could begin now. */
  get room(): number {
    return this.#isClosed ? 0 : this.#limits.transfers - this.#count(({ isHosted }) => !isHosted);
  }

  /**
   * True while only the reserved transfers to other hosts are free, or none. This process then
   * leaves due deliveries that another process may have room for.
   */
  get isCrowded(): boolean {
    return this.room <= this.#reserved;
  }

  /** True while a transfer is under way. */
  get isBusy(): boolean {
    return this.#running.size > 0;
  }

  /**
   * Claims due deliveries and begins their transfers, without waiting for these. Needs no job to
   * announce a delivery, so it also finds those whose job Redis lost, those of a worker that died,
   * and those that become due while Redis is away. Passes must not overlap.
   */
  async pass(ctx: Ctx): Promise<Pass> {
    if (!this.#isRenewing) void this.#keepRenewing(ctx);
    const end = Promise.withResolvers<void>();
    this.#passed = end.promise;
    try {
      const passed = await this.#beginDue(ctx);
      this.#takeOver.noteReached();
      return passed;
    } catch (error) {
      this.#takeOver.noteAway();
      throw error;
    } finally {
      end.resolve();
    }
  }

  async #beginDue(ctx: Ctx): Promise<Pass> {
    const isMoreScheduled = await releaseScheduled(ctx, new Date(), (work) => this.#takeRefusal(work));
    const withAutomatic = this.#roomNow().automatic > 0;
    const { due, isCutOff, nextAt } = await queueAndFindDue(ctx, this.#claims(), { withAutomatic });
    let begun = await this.#begin(ctx, due);
    if (isCutOff && due.some(({ isAutomatic }) => isAutomatic)) begun += await this.#beginOthers(ctx);
    if (isCutOff) begun += await this.#beginHere(ctx);
    if (!isCutOff || this.room === 0) return { begun, hasMore: isMoreScheduled || (isCutOff && this.room > 0), nextAt };
    const room = this.#roomNow();
    const isFull = (recipientDomain: string, isAutomatic: boolean) =>
      !this.#hasRoomFor({ recipientDomain, isHosted: false, isAutomatic }, room);
    const next = await findDueByDomain(ctx, this.#claims(), { after: this.#after, most: this.room, isFull });
    this.#after = next.after;
    begun += await this.#begin(ctx, next.due);
    // When the last step of a round has begun nothing, the next round waits for a transfer to end
    return { begun, hasMore: this.room > 0 && (next.after !== '' || begun > 0), nextAt };
  }

  /**
   * Makes drafts of scheduled messages that are refused, one after the other. Those that still wait
   * when the process ends are found by another one.
   */
  #takeRefusal(work: () => Promise<void>): boolean {
    if (this.#isClosed || this.#refusals >= mostRefusals) return false;
    this.#refusals += 1;
    this.#refusing = this.#refuseAfter(this.#refusing, work);
    return true;
  }

  async #refuseAfter(earlier: Promise<void>, work: () => Promise<void>): Promise<void> {
    await earlier;
    try {
      if (!this.#isClosed) await work();
    } catch (error) {
      // The database may be away. The message is found again once its claim is over
      log.error('a scheduled message could not be refused', { error });
    } finally {
      this.#refusals -= 1;
    }
  }

  /** Resolves when no transfer is under way. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  /**
   * Waits until the transfers under way have ended, and cuts their connections after `graceMs`. All
   * other deliveries stay due in the database. A pass that waits for the database ends first, and
   * the transfers are cut in time nevertheless.
   */
  async close(graceMs = closeGraceMs): Promise<void> {
    this.#isClosed = true;
    const timer = setTimeout(() => {
      this.#pool.abandon();
      this.#ended.abort();
    }, graceMs);
    await this.#passed;
    await this.idle();
    await this.#refusing;
    clearTimeout(timer);
    this.#ended.abort();
    this.#pool.close();
  }

  #claims(): Claims {
    return { withRunOutLeases: this.#takeOver.isSafe() };
  }

  get #reserved(): number {
    return Math.floor(this.#limits.transfers / reservedPart);
  }

  /** A share of the transfers, one at least. */
  #partOf(part: number): number {
    return Math.max(1, Math.floor(this.#limits.transfers / part));
  }

  /** How many of the running transfers are such. */
  #count(isSuch: (group: DeliveryGroup) => boolean): number {
    let running = 0;
    for (const group of this.#running.keys()) if (isSuch(group)) running += 1;
    return running;
  }

  #isFull(lane: string): boolean {
    const running = this.#count((group) => group.lane === lane);
    if (this.#down.has(lane)) return running > 0 || this.#roomForDown() <= 0;
    return running >= this.#limits.perDomain;
  }

  /** How many transfers in lanes that are down could begin now. */
  #roomForDown(): number {
    const running = this.#count(({ lane }) => this.#down.has(lane));
    return Math.ceil(this.#limits.transfers / downPart) - running;
  }

  /** How many transfers to hosted domains could begin now. */
  get #roomHere(): number {
    return this.#isClosed ? 0 : this.#partOf(hostedPart) - this.#count(({ isHosted }) => isHosted);
  }

  /** How many transfers of each kind could begin now. */
  #roomNow(): Room {
    const automatic = this.#partOf(automaticPart);
    return {
      transfers: this.room,
      reserved: this.#reserved,
      automatic: automatic - this.#count(({ isHosted, isAutomatic }) => isAutomatic && !isHosted),
      automaticReserved: Math.floor(automatic / 2),
      forDown: this.#roomForDown(),
      hosted: this.#roomHere,
      perDomain: this.#limits.perDomain,
      isDown: (lane) => this.#down.has(lane),
    };
  }

  /** Begins transfers that a long queue of automatic messages hides. */
  async #beginOthers(ctx: Ctx): Promise<number> {
    if (this.room === 0) return 0;
    const { due } = await queueAndFindDue(ctx, this.#claims(), { withAutomatic: false });
    return await this.#begin(ctx, due);
  }

  /** Begins transfers to hosted domains that a long queue for others hides. */
  async #beginHere(ctx: Ctx): Promise<number> {
    if (this.#roomHere === 0) return 0;
    const found = await findDueHere(ctx, this.#claims(), this.#afterHere);
    this.#afterHere = found.after;
    return await this.#begin(ctx, found.due);
  }

  /**
   * Claims deliveries and begins their transfers.
   * @returns the number of transfers
   */
  async #begin(ctx: Ctx, found: readonly DueDelivery[]): Promise<number> {
    // The claim of a running transfer may run out while the database is away. This process must not
    // claim its deliveries a second time
    const inHand = new Set(
      [...this.#running.keys()].flatMap(({ deliveries }) => deliveries.map(({ id }) => String(id))),
    );
    const room = this.#roomNow();
    const due = found.filter((row) => !inHand.has(String(row.id)) && this.#hasRoomFor(row, room));
    if (due.length === 0) return 0;
    const groups = await claimDeliveries(ctx, due, { claims: this.#claims(), room });
    for (const group of groups) this.#running.set(group, this.#work(ctx, group));
    return groups.length;
  }

  #hasRoomFor(row: Pick<DueDelivery, 'recipientDomain' | 'isHosted' | 'isAutomatic'>, room: Room): boolean {
    const lane = laneOf(row);
    if (row.isHosted ? room.hosted <= 0 : room.transfers <= 0) return false;
    const kept = this.#down.has(lane) ? room.automaticReserved : 0;
    if (!row.isHosted && row.isAutomatic && room.automatic <= kept) return false;
    return !this.#isFull(lane);
  }

  async #work(ctx: Ctx, group: DeliveryGroup): Promise<void> {
    try {
      const onReach = (isReached: boolean) => this.#down.note(group.lane, isReached);
      const [pool, policies, ownIpv6, ended] = [this.#pool, this.#policies, this.#ownIpv6, this.#ended.signal];
      const means = { pool, policies, ownIpv6, ended, memoryPatienceMs: this.#memoryPatienceMs, onReach };
      await attemptGroup(ctx, group, means);
      await this.#leave(ctx, group);
    } catch (error) {
      // The rows keep the time of their next attempt and the leases run out, so a later pass tries
      // again. The row of the transfer stays as long: `mendTimes` finds the leases by it
      const { mailId } = group.deliveries[0] ?? {};
      log.error('deliveries could not be worked on', { mailId, deliveries: group.deliveries.length, error });
    } finally {
      this.#running.delete(group);
      this.#onFreed();
    }
  }

  /** Makes room for another transfer in the lane, in any process. */
  async #leave(ctx: Ctx, { transferId }: DeliveryGroup): Promise<void> {
    try {
      await endTransfer(ctx, transferId);
    } catch (error) {
      log.warn('a transfer that is over counts until its lease runs out', { error });
    }
  }

  /**
   * Renews the claims of the running transfers three times per lease. So leases can be short: no
   * second worker takes over a transfer to a slow server, and the deliveries of a dead worker are
   * soon claimed again. After an outage of the database it renews them at once.
   */
  async #keepRenewing(ctx: Ctx): Promise<void> {
    this.#isRenewing = true;
    let isRenewed = true;
    while (!this.#ended.signal.aborted) {
      const pauseMs = isRenewed ? renewEveryMs : renewAgainMs;
      await wait(pauseMs, undefined, { signal: this.#ended.signal, ref: false }).catch(() => undefined);
      if (this.#ended.signal.aborted) return;
      isRenewed = await this.#renewInTime(ctx);
    }
  }

  /**
   * Does not wait for a dead connection, which fails only after the time limit of the driver. The
   * next attempt takes another one.
   */
  async #renewInTime(ctx: Ctx): Promise<boolean> {
    const answered = new AbortController();
    const late = wait(renewEveryMs, false, { signal: answered.signal, ref: false }).catch(() => false);
    const isRenewed = await Promise.race([this.#renew(ctx), late]);
    answered.abort();
    if (!isRenewed) this.#takeOver.noteAway();
    return isRenewed;
  }

  async #renew(ctx: Ctx): Promise<boolean> {
    try {
      await renewLeases(ctx, [...this.#running.keys()]);
      this.#takeOver.noteReached();
      return true;
    } catch (error) {
      // At worst another worker takes over, and a message arrives twice rather than never
      log.warn('leases could not be renewed', { error });
      return false;
    }
  }
}
