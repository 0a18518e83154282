import { type JobsOptions, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { log } from '../log.ts';
import { withDeadline } from '../with-deadline.ts';
import type { AnyJobContract, QueueName } from './define-job.ts';

/** One committed job on its way to its queue. */
export interface QueuedJob {
  contract: AnyJobContract;
  /** Derived from the outbox row, so that a row that is relayed twice is one job. */
  jobId: string;
  dedupeId: string;
  data: JobData;
}

/** The data of a job in its queue: the payload, and its cause for the log. */
export interface JobData {
  payload: object;
  causeId: string | null;
}

/** What a queue holds at a moment. */
export interface QueueLook {
  /** How many jobs are in each state. */
  counts: { waiting: number; delayed: number; active: number; failed: number };
  /** Since when the job that waits longest could have been run; null when none waits. */
  waitingSince: Date | null;
}

const addLimitMs = 2000;

/**
 * The producers' side of the queues. It fails fast, since the outbox keeps what can't be announced
 * now.
 */
export class Queues {
  readonly #redis: Redis;
  readonly #open = new Map<QueueName, Queue>();

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  /** False while Redis is away. */
  get isReachable(): boolean {
    return this.#redis.status === 'ready';
  }

  /**
   * Announces jobs of one queue.
   * @throws if Redis is away or takes more than two seconds
   */
  async add(name: QueueName, jobs: QueuedJob[]): Promise<void> {
    if (!this.isReachable) throw new Error('Redis is away');
    const queue = this.#queue(name);
    try {
      const entries = jobs.map((job) => ({ name: job.contract.name, data: job.data, opts: optionsOf(job) }));
      await withDeadline(queue.addBulk(entries), addLimitMs);
    } catch (error) {
      // A queue whose first contact failed stays broken for ever, so the next call makes a new one
      this.#open.delete(name);
      closeQuietly(queue);
      throw error;
    }
  }

  /**
   * What a queue holds.
   * @throws if Redis is away or takes more than two seconds
   */
  async look(name: QueueName): Promise<QueueLook> {
    if (!this.isReachable) throw new Error('Redis is away');
    const queue = this.#queue(name);
    try {
      return await withDeadline(lookAt(queue), addLimitMs);
    } catch (error) {
      this.#open.delete(name);
      closeQuietly(queue);
      throw error;
    }
  }

  async close(): Promise<void> {
    const queues = [...this.#open.values()];
    this.#open.clear();
    await Promise.allSettled(queues.map((queue) => withDeadline(queue.close(), addLimitMs)));
  }

  #queue(name: QueueName): Queue {
    let queue = this.#open.get(name);
    if (queue === undefined) {
      queue = new Queue(name, { connection: this.#redis });
      queue.on('error', (error) => log.debug('queue connection failed', { queue: name, error }));
      this.#open.set(name, queue);
    }
    return queue;
  }
}

function optionsOf(job: QueuedJob): JobsOptions {
  const { isLast, retry } = job.contract;
  const { attempts, backoffMs } = retry;
  return {
    jobId: job.jobId,
    // A job that is enqueued while another with its id runs is run after it: the running one may
    // have read the state already
    deduplication: { id: job.dedupeId, keepLastIfActive: true },
    attempts,
    // Jobs without a priority come before all that have one
    ...(isLast && { priority: 1 }),
    ...(backoffMs === undefined ? {} : { backoff: { type: 'exponential', delay: backoffMs, jitter: 0.5 } }),
    removeOnComplete: { count: 1000 },
    removeOnFail: { count: 5000 },
  };
}

async function lookAt(queue: Queue): Promise<QueueLook> {
  const [counts, waiting, last] = await Promise.all([
    queue.getJobCounts('waiting', 'prioritized', 'delayed', 'active', 'failed'),
    queue.getWaiting(0, 0),
    queue.getPrioritized(0, 0),
  ]);
  const { waiting: first = 0, prioritized = 0, delayed = 0, active = 0, failed = 0 } = counts;
  const since = [...waiting, ...last].map(({ timestamp, opts }) => timestamp + (opts.delay ?? 0));
  return {
    counts: { waiting: first + prioritized, delayed, active, failed },
    waitingSince: since.length === 0 ? null : new Date(Math.min(...since)),
  };
}

function closeQuietly(queue: Queue): void {
  queue.close().catch((error: unknown) => log.debug('a broken queue could not be closed', { error }));
}
