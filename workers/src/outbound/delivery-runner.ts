import { setTimeout as wait } from 'node:timers/promises';
import { Delivery } from '@selvage/core/models/delivery';
import { dueDeliveries, findDue } from '@selvage/core/outbound/deliveries';
import type { Ctx } from '@selvage/core/context/context';
import { log } from '@selvage/core/log';
import { attemptDelivery } from './attempt-delivery.ts';
import { DomainQueue } from './domain-queue.ts';
import { SmtpPool } from './smtp-pool.ts';

/** A job that comes at most this much too early waits here. Any other waits for the sweep. */
const earlyMs = 2000;
const sweepBatch = 500;
/**
 * How long a message under way may take after the process is told to stop, which has 20 s in all.
 */
const closeGraceMs = 12_000;

/**
 * How long the database has to be reachable before a claim that ran out is taken over. After an
 * outage all claims have run out, and living workers first record the results that they hold.
 */
const takeOverAfterMs = 5000;

/**
 * The outgoing mail of one worker process: its connections and its queues of waiting deliveries.
 */
export class DeliveryRunner {
  readonly #pool = new SmtpPool();
  readonly #queue: DomainQueue;
  readonly #concurrency: number;
  /**
   * Deliveries by id that a sweep found and no lane has taken up. The next sweep finds them again.
   */
  readonly #found = new Map<string, Delivery>();
  /**
   * Ids of deliveries that this process is trying. Their claim may run out while the database is
   * away.
   */
  readonly #inHand = new Set<string>();
  readonly #ended = new AbortController();
  readonly #takeOverAfterMs: number;
  /** Time of the first sweep that reached the database since one that did not. */
  #reachableSince: number | null = null;
  #lanes = 0;

  constructor(options: { perDomain: number; concurrency: number; takeOverAfterMs?: number }) {
    this.#queue = new DomainQueue(options.perDomain);
    this.#concurrency = options.concurrency;
    this.#takeOverAfterMs = options.takeOverAfterMs ?? takeOverAfterMs;
  }

  /** Works on one delivery if it is due. Settles once it was tried or waits in the queue. */
  async deliver(ctx: Ctx, deliveryId: string): Promise<void> {
    const due = (await findDue(ctx, deliveryId, this.#claims())) ?? (await this.#waitUntilDue(ctx, deliveryId));
    if (due) await this.#queueUp(ctx, due);
  }

  /**
   * Takes up what is due in the database, whether or not a job announced it: after Redis lost
   * everything, after a worker died, and while Redis is away. Returns how many deliveries it had
   * not found before. It does not wait for them: a slow remote server must not hold up the next
   * sweep.
   */
  async sweep(ctx: Ctx): Promise<number> {
    const due = await this.#findDue(ctx);
    const fresh = due.filter(({ id }) => !this.#found.has(String(id)) && !this.#inHand.has(String(id)));
    for (const delivery of fresh) {
      this.#found.set(String(delivery.id), delivery);
      if (this.#lanes < this.#concurrency) void this.#workOff(ctx);
    }
    return fresh.length;
  }

  /** Finishes what is under way. The rest stays due in the database. */
  async close(graceMs = closeGraceMs): Promise<void> {
    this.#found.clear();
    const timer = setTimeout(() => {
      this.#pool.abandon();
      this.#ended.abort();
    }, graceMs);
    await this.#queue.close();
    clearTimeout(timer);
    this.#pool.close();
  }

  async #findDue(ctx: Ctx): Promise<Delivery[]> {
    try {
      const due = await dueDeliveries(ctx, this.#claims(), { limit: sweepBatch });
      this.#reachableSince ??= Date.now();
      return due;
    } catch (error) {
      this.#reachableSince = null;
      throw error;
    }
  }

  #claims(): { expired: boolean } {
    const since = this.#takeOverAfterMs === 0 ? 0 : this.#reachableSince;
    return { expired: since !== null && Date.now() - since >= this.#takeOverAfterMs };
  }

  /** One lane: takes up what was found until nothing is left. Never throws. */
  async #workOff(ctx: Ctx): Promise<void> {
    this.#lanes += 1;
    for (const [id, delivery] of this.#found) {
      this.#found.delete(id);
      await this.#queueUp(ctx, delivery);
    }
    this.#lanes -= 1;
  }

  async #queueUp(ctx: Ctx, delivery: Delivery): Promise<void> {
    const id = String(delivery.id);
    await this.#queue.run(delivery.recipientDomain, id, async () => {
      if (this.#inHand.has(id)) return;
      this.#inHand.add(id);
      try {
        await attemptDelivery(ctx, id, { pool: this.#pool, ended: this.#ended.signal });
      } catch (error) {
        // The row keeps its next time and the lease runs out, so the sweep tries again
        log.error('a delivery could not be worked on', { mailId: delivery.mailId, deliveryId: id, error });
      } finally {
        this.#inHand.delete(id);
      }
    });
  }

  async #waitUntilDue(ctx: Ctx, id: string): Promise<Delivery | null> {
    const row = await Delivery.findByPk(id, { attributes: ['id', 'nextAttemptAt'] });
    const early = (row?.nextAttemptAt?.getTime() ?? 0) - Date.now();
    if (early <= 0 || early > earlyMs) return null;
    await wait(early + 1);
    return await findDue(ctx, id, this.#claims());
  }
}
