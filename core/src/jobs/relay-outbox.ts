import { dayMs } from '../utc-day.ts';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Op, type Sequelize, type Transaction } from 'sequelize';
import { OutboxRow } from '../models/outbox-row.ts';
import type { JobRelay, WakeUp } from '../context/app.ts';
import { log, withoutLogContext } from '../log.ts';
import { allJobs, findJob } from './all-jobs.ts';
import type { AnyJobContract, QueueName } from './define-job.ts';
import type { QueuedJob, Queues } from './queues.ts';

// enqueue() writes an outbox row whose relayed_at is null. Right after the commit, announce() puts
// the job into its queue, and relayed_at is set. If that fails, the sweep does it later.

const batchSize = 500;
/** No row lies this far ahead, unless the clock was wrong when it was written. */
const wrongByMs = 60_000;
const markAfterMs = 200;
/**
 * How long the rows of a busy moment are gathered, so that they are announced together. The first
 * row of such a moment goes at once.
 */
const gatherMs = 100;

/**
 * The least time between two wake-ups for the same work. A worker that was just woken looks for all
 * of its work anyway.
 */
const wakeEveryMs = 50;

/**
 * Announces committed rows right after their commit; the caller does not wait for it. Rows that
 * come while a batch is under way, or right after it, go into the next one. `relayed_at` is written
 * a moment later, for many rows at once, since each commit waits for the disk. If the process dies
 * before that, the sweep announces the rows again, which is harmless.
 */
export class OutboxRelay implements JobRelay {
  readonly #queues: Queues;
  readonly #db: Sequelize;
  #waiting: OutboxRow[] = [];
  #announced: string[] = [];
  #running: Promise<void> | null = null;
  #marking: Promise<void> | null = null;
  readonly #waking = new Map<string, Promise<void>>();
  readonly #wokenAgain = new Set<string>();

  constructor(queues: Queues, db: Sequelize) {
    this.#queues = queues;
    this.#db = db;
  }

  /** Takes committed rows. Never throws: what can't be announced now is left to the sweep. */
  announce(rows: readonly OutboxRow[]): void {
    if (!this.#queues.isReachable) return;
    this.#waiting.push(...rows);
    this.#running ??= withoutLogContext(() => this.#run());
  }

  /** The first call becomes a job at once. Those that come soon after it share the next one. */
  wake({ name }: WakeUp): void {
    if (this.#waking.has(name)) this.#wokenAgain.add(name);
    else if (this.#queues.isReachable)
      this.#waking.set(
        name,
        withoutLogContext(() => this.#wake(name)),
      );
  }

  /**
   * Announces rows that are due and were not announced, because their process died or Redis was
   * away. Also deletes rows that were announced more than a day ago. Any number of processes may do
   * this at once.
   * @returns how many were announced
   */
  async announceDue({ olderThanMs }: { olderThanMs: number }): Promise<number> {
    if (!this.#queues.isReachable) return 0;
    let relayed = 0;
    for (;;) {
      const count = await this.#db.transaction((tx) => relayBatch(this.#queues, olderThanMs, tx));
      relayed += count;
      if (count < batchSize) break;
    }
    await OutboxRow.destroy({ where: { relayedAt: { [Op.lt]: new Date(Date.now() - dayMs) } }, limit: 5000 });
    return relayed;
  }

  /** Resolves when everything taken so far is announced or left to the sweep. */
  async idle(): Promise<void> {
    await this.#running;
    await this.#marking;
    await Promise.all(this.#waking.values());
  }

  async close(): Promise<void> {
    await this.idle();
    await this.#queues.close();
  }

  async #wake(name: string): Promise<void> {
    do {
      this.#wokenAgain.delete(name);
      try {
        await announceWakeUp(this.#queues, name);
      } catch (error) {
        log.warn('work is left to the sweep', { job: name, error });
      }
      await wait(wakeEveryMs);
    } while (this.#wokenAgain.has(name));
    this.#waking.delete(name);
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, batchSize);
      try {
        await announceRows(this.#queues, batch);
        this.#announced.push(...batch.map(({ id }) => id));
        this.#marking ??= this.#mark();
      } catch (error) {
        log.warn('jobs are left to the sweep', { rows: batch.length, error });
      }
      await wait(gatherMs);
    }
    this.#running = null;
  }

  async #mark(): Promise<void> {
    while (this.#announced.length > 0) {
      await wait(markAfterMs);
      const ids = this.#announced.splice(0);
      try {
        await markRows(ids);
      } catch (error) {
        log.warn('announced jobs are announced again by the sweep', { rows: ids.length, error });
      }
    }
    this.#marking = null;
  }
}

async function relayBatch(queues: Queues, olderThanMs: number, tx: Transaction): Promise<number> {
  const now = Date.now();
  const rows = await OutboxRow.findAll({
    where: {
      // During an update of the host an older process must not take a job that only a newer one
      // knows
      jobName: allJobs.map(({ name }) => name),
      relayedAt: null,
      [Op.or]: [
        { availableAt: { [Op.lte]: new Date(now) }, createdAt: { [Op.lte]: new Date(now - olderThanMs) } },
        // A job is for the moment of its commit, so the clock was ahead when this row was written
        { availableAt: { [Op.gt]: new Date(now + wrongByMs) } },
      ],
    },
    order: [['availableAt', 'ASC']],
    limit: batchSize,
    lock: tx.LOCK.UPDATE,
    skipLocked: true,
    transaction: tx,
  });
  if (rows.length === 0) return 0;
  await announceRows(queues, rows);
  await markRows(
    rows.map(({ id }) => id),
    tx,
  );
  return rows.length;
}

async function announceRows(queues: Queues, rows: readonly OutboxRow[]): Promise<void> {
  const byQueue = new Map<QueueName, QueuedJob[]>();
  for (const row of rows) {
    const contract = findJob(row.jobName);
    if (contract === undefined) throw new Error(`no job is named ${row.jobName}`);
    const jobs = byQueue.get(contract.queue) ?? [];
    jobs.push(toQueuedJob(contract, row));
    byQueue.set(contract.queue, jobs);
  }
  for (const [name, jobs] of byQueue) await queues.add(name, jobs);
}

async function announceWakeUp(queues: Queues, name: string): Promise<void> {
  const contract = findJob(name);
  if (contract === undefined) throw new Error(`no job is named ${name}`);
  const data = { payload: {}, causeId: null };
  await queues.add(contract.queue, [{ contract, jobId: `wake-${randomUUID()}`, dedupeId: name, data }]);
}

async function markRows(ids: readonly string[], tx?: Transaction): Promise<void> {
  await OutboxRow.update({ relayedAt: new Date() }, { where: { id: [...ids] }, transaction: tx });
}

function toQueuedJob(contract: AnyJobContract, row: OutboxRow): QueuedJob {
  return {
    contract,
    // The creation time keeps ids apart when a restored database counts from an earlier number
    // again
    jobId: `outbox-${row.id}-${row.createdAt.getTime().toString(36)}`,
    dedupeId: row.dedupeId,
    data: { payload: row.payload, causeId: row.causeId },
  };
}
