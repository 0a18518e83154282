import { type ConnectionOptions, type Job, UnrecoverableError, Worker } from 'bullmq';
import type { App } from '../context/app.ts';
import { type Ctx, inTransaction, systemContext } from '../context/context.ts';
import { log, withLogContext } from '../log.ts';
import { jobFailures } from '../metrics.ts';
import { closeRedis, createRedis } from '../process/create-redis.ts';
import { allJobs } from './all-jobs.ts';
import type { AnyJobContract, JobContract, QueueName } from './define-job.ts';
import { enqueue } from './enqueue.ts';
import type { JobData } from './queues.ts';

/** One job with the code that does it. */
export interface Processor {
  contract: AnyJobContract;
  /** @param signal aborts when the process ends */
  run(app: App, job: Job<JobData>, signal: AbortSignal): Promise<void>;
}

/** Running workers. */
export interface Workers {
  /** Takes no new jobs, asks the running ones to stop, and waits for them. */
  close(): Promise<void>;
}

/**
 * Binds a handler to a contract. The handler must be idempotent: it reads the state and acts if
 * that is still needed. It throws to be run again, or `UnrecoverableError` when that would not
 * help. A handler may stop and throw when its signal aborts. Then its job is enqueued anew.
 */
export function processor<P extends object>(
  contract: JobContract<P>,
  handle: (ctx: Ctx, payload: P, signal: AbortSignal) => Promise<void>,
): Processor {
  return {
    contract,
    run: async (app, job, signal) => {
      const payload = contract.payload.safeParse(job.data.payload);
      if (!payload.success) throw new UnrecoverableError(`payload does not fit the contract: ${payload.error.message}`);
      const fields = { job: contract.name, jobId: job.id, causeId: job.data.causeId };
      await withLogContext(fields, async () => {
        const ctx = systemContext(app, job.data.causeId ?? job.id);
        try {
          await handle(ctx, payload.data, signal);
        } catch (error) {
          if (!signal.aborted || error instanceof UnrecoverableError) throw error;
          log.info('a job stops with its process and is asked for again', { error });
          await inTransaction(ctx, (tx) => enqueue(tx, contract, payload.data));
        }
      });
    },
  };
}

/**
 * Starts one worker for each queue.
 * @throws if a contract has no processor, or two
 */
export function startJobWorkers(
  app: App,
  processors: Processor[],
  contracts: readonly AnyJobContract[] = allJobs,
): Workers {
  const byName = assign(processors, contracts);
  for (const { name } of contracts) jobFailures.inc({ job_name: name }, 0);
  const redis = createRedis(app.config, { role: 'worker' });
  const ended = new AbortController();
  const run: RunJob = (found, job) => found.run(app, job, ended.signal);
  const workers = [...new Set(contracts.map((contract) => contract.queue))].map((queue) =>
    startWorker(queue, byName, run, redis as ConnectionOptions),
  );
  return {
    close: async () => {
      ended.abort();
      // BullMQ would wait for an event of its connection that does not come while Redis is away
      const isAway = redis.status !== 'ready';
      if (isAway) await Promise.allSettled(workers.flatMap(({ running }) => [...running]));
      await Promise.all(workers.map(({ worker }) => worker.close(isAway)));
      closeRedis(redis);
    },
  };
}

/** The worker of a queue, with the jobs that it is doing. */
interface QueueWorker {
  worker: Worker;
  running: ReadonlySet<Promise<void>>;
}

function assign(processors: Processor[], contracts: readonly AnyJobContract[]): Map<string, Processor> {
  const problems: string[] = [];
  for (const { name } of contracts) {
    const count = processors.filter((candidate) => candidate.contract.name === name).length;
    if (count !== 1) problems.push(`${name} has ${count} processors`);
  }
  for (const { contract } of processors) {
    if (!contracts.some((known) => known.name === contract.name)) problems.push(`${contract.name} is not listed`);
  }
  if (problems.length > 0) throw new Error(`Each job needs exactly one processor: ${problems.join(', ')}`);
  return new Map(processors.map((candidate) => [candidate.contract.name, candidate]));
}

type RunJob = (processor: Processor, job: Job<JobData>) => Promise<void>;

function startWorker(
  queue: QueueName,
  byName: Map<string, Processor>,
  run: RunJob,
  connection: ConnectionOptions,
): QueueWorker {
  const running = new Set<Promise<void>>();
  const worker = new Worker<JobData>(
    queue,
    async (job) => {
      const found = byName.get(job.name);
      // While processes are replaced one by one, those of a newer version may have enqueued the
      // job. It is run again later, as often as its contract says
      if (found === undefined) throw new Error(`no processor for ${job.name}`);
      const work = run(found, job);
      running.add(work);
      await work.finally(() => running.delete(work));
    },
    { connection, concurrency: 5 },
  );
  worker.on('error', (error) => log.debug('worker connection failed', { queue, error }));
  worker.on('failed', (job, error) => {
    // A job that was removed from the queue meanwhile has no name any more
    jobFailures.inc({ job_name: job?.name ?? 'unknown' });
    log.error('job failed', { job: job?.name, jobId: job?.id, attempts: job?.attemptsMade, error });
  });
  return { worker, running };
}
