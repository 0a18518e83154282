import type { App } from '@selvage/core/context/app';
import { systemContext } from '@selvage/core/context/context';
import { log } from '@selvage/core/log';
import { DeliveryRunner } from './delivery-runner.ts';

/**
 * Transfers that end within this time make room together, so that one pass claims for all of them.
 */
const gatherMs = 10;

/**
 * Lets a runner pass over the queue: when it is woken, when a transfer ends, when the next delivery
 * becomes due, and in any case after the sweep's time. A timer of the process, not of Redis, so
 * mail goes on leaving while Redis is away; any number of processes may do this at once.
 */
export class DeliveryLoop {
  readonly #app: App;
  readonly #runner: DeliveryRunner;
  #signal = Promise.withResolvers<'woken' | 'freed'>();
  #isClosed = false;
  readonly #ended: Promise<void>;

  constructor(app: App) {
    this.#app = app;
    const { outboundPerDomain: perDomain, outboundConcurrency: concurrency } = app.config;
    this.#runner = new DeliveryRunner({ perDomain, concurrency, onFreed: () => this.#signal.resolve('freed') });
    this.#ended = this.#run();
  }

  /** Says that something may be due. */
  wake(): void {
    this.#signal.resolve('woken');
  }

  /** Starts nothing more and finishes what runs. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.wake();
    await this.#ended;
    await this.#runner.close();
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) {
      this.#signal = Promise.withResolvers();
      const pauseMs = await this.#pass();
      if (pauseMs > 0) await this.#rest(pauseMs);
    }
  }

  /** Answers after how long to pass again at the latest. */
  async #pass(): Promise<number> {
    const sweepMs = this.#app.config.sweepSeconds * 1000;
    if (this.#runner.room === 0) return sweepMs;
    try {
      const { hasMore, nextAt } = await this.#runner.pass(systemContext(this.#app));
      if (hasMore) return 0;
      return nextAt === null ? sweepMs : Math.min(sweepMs, Math.max(1, nextAt.getTime() - Date.now() + 1));
    } catch (error) {
      // The database may be away; the next pass finds everything still there
      log.warn('a pass over the outgoing queue failed and is tried again', { error });
      return sweepMs;
    }
  }

  async #rest(pauseMs: number): Promise<void> {
    const { promise: pause, resolve } = Promise.withResolvers<'over'>();
    const timer = setTimeout(() => resolve('over'), pauseMs);
    const why = await Promise.race([this.#signal.promise, pause]);
    clearTimeout(timer);
    // When all room was taken, others are about to end as well
    if (why !== 'over' && this.#runner.isBusy) await new Promise((done) => setTimeout(done, gatherMs));
  }
}
