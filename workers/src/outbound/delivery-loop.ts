import type { App } from '@selvage/core/context/app';
import { systemContext } from '@selvage/core/context/context';
import { log } from '@selvage/core/log';
import { createRedis } from '@selvage/core/process/create-redis';
import { DeliveryRunner } from './delivery-runner.ts';
import { announceDue, hearDue } from './due-feed.ts';

/**
 * After a transfer has ended, the loop waits this long for others to end, so that one pass claims
 * deliveries for all of them.
 */
const gatherMs = 10;
/** A pass that began nothing is followed by the next one after this long, if that may find more. */
const walkPauseMs = 50;
/** This process tells the others at most this often that deliveries may be due. */
const shareEveryMs = 500;

/**
 * Runs a pass over the queue whenever there may be work: when a job wakes the loop, when a transfer
 * ends, when the next delivery becomes due, and at the latest after `sweepSeconds`. The timer
 * belongs to the process and not to Redis, so mail goes on leaving while Redis is away. Any number
 * of processes may do this at once.
 *
 * A job wakes only one process, and often only one process knows when the next delivery becomes
 * due. When that process has no room for all that may be due, it tells the others. A process does
 * not pass on what another one told it, so processes that are all full don't wake each other again
 * and again.
 */
export class DeliveryLoop {
  readonly #app: App;
  readonly #runner: DeliveryRunner;
  readonly #subscriber: App['redis'];
  #signal = Promise.withResolvers<'woken' | 'freed'>();
  /**
   * Whether a job has woken this process, and it has since neither looked with room to spare nor
   * told the others.
   */
  #isWoken = false;
  /** When the next delivery becomes due, as of the last look; milliseconds since 1970. */
  #nextAt = Infinity;
  #sharedAt = -Infinity;
  #isClosed = false;
  readonly #ended: Promise<void>;

  constructor(app: App) {
    this.#app = app;
    const { outboundPerDomain: perDomain, outboundConcurrency: concurrency } = app.config;
    this.#runner = new DeliveryRunner({ perDomain, concurrency, onFreed: () => this.#signal.resolve('freed') });
    this.#subscriber = createRedis(app.config, { role: 'worker' });
    void hearDue(this.#subscriber, () => this.#signal.resolve('woken')).catch((error: unknown) => {
      if (!this.#isClosed) log.warn('could not subscribe to notices of due deliveries', { error });
    });
    this.#ended = this.#run();
  }

  /** Tells this process that deliveries may be due. */
  wake(): void {
    this.#isWoken = true;
    this.#signal.resolve('woken');
  }

  /** Starts nothing more and finishes what runs. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#subscriber.disconnect();
    this.#signal.resolve('woken');
    await Promise.all([this.#ended, this.#runner.close()]);
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) {
      this.#signal = Promise.withResolvers();
      const pauseMs = await this.#pass();
      if (pauseMs > 0) await this.#rest(pauseMs);
    }
  }

  /** Returns the longest time to wait before the next pass. */
  async #pass(): Promise<number> {
    const mayBeDue = this.#isWoken || this.#nextAt <= Date.now();
    this.#isWoken = false;
    const canLook = this.#runner.hasRoom;
    if (canLook || mayBeDue) this.#nextAt = Infinity;
    const againMs = canLook ? await this.#look() : Infinity;
    const shareMs = mayBeDue && this.#runner.isCrowded ? this.#share() : Infinity;
    const nextMs = Math.max(1, this.#nextAt - Date.now() + 1);
    return Math.min(this.#app.config.sweepSeconds * 1000, nextMs, shareMs, againMs);
  }

  /** Runs one pass. Returns the time to wait before the next one, if that may find more. */
  async #look(): Promise<number> {
    try {
      const { begun, hasMore, nextAt } = await this.#runner.pass(systemContext(this.#app));
      this.#nextAt = nextAt?.getTime() ?? Infinity;
      if (!hasMore) return Infinity;
      return begun > 0 ? 0 : walkPauseMs;
    } catch (error) {
      // The database may be away; the next pass finds everything still there
      log.warn('a pass over the outgoing queue failed and is tried again', { error });
      return Infinity;
    }
  }

  /**
   * Tells the other processes that deliveries may be due, unless it has told them just now.
   * @returns the milliseconds after which to try again; Infinity once they are told
   */
  #share(): number {
    const leftMs = this.#sharedAt + shareEveryMs - performance.now();
    if (leftMs > 0) {
      this.#isWoken = true;
      return leftMs;
    }
    this.#sharedAt = performance.now();
    announceDue(this.#app);
    return Infinity;
  }

  async #rest(pauseMs: number): Promise<void> {
    const { promise: pause, resolve } = Promise.withResolvers<'over'>();
    const timer = setTimeout(() => resolve('over'), pauseMs);
    const why = await Promise.race([this.#signal.promise, pause]);
    clearTimeout(timer);
    // While transfers are under way, others may be about to end as well
    if (why !== 'over' && this.#runner.isBusy) await new Promise((done) => setTimeout(done, gatherMs));
  }
}
