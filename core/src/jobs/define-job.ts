import type { z } from 'zod';

/** Queues, each with a worker of its own, so that the long jobs of one hold up none of another. */
export type QueueName = 'outbound' | 'mail' | 'domain' | 'directory' | 'holds';

/** How often a job that throws is run again. */
export interface JobRetry {
  /** Runs in all. */
  attempts: number;
  /** Wait before the second run; it doubles each time, with jitter. */
  backoffMs?: number;
}

/**
 * The whole agreement between the code that asks for a job and the worker that does it. Both parse
 * the payload.
 */
export interface JobContract<P extends object> {
  /** `<area>.<verb>` */
  name: string;
  queue: QueueName;
  /** Ids only; never bodies, addresses or secrets. */
  payload: z.ZodType<P>;
  /**
   * Only one of the waiting jobs with the same id is kept. A job that is enqueued while another
   * with its id runs is run after it. The id must have no colon.
   */
  dedupe: (payload: P) => string;
  retry: JobRetry;
  /** The job begins only when no other job of its queue waits. */
  isLast?: boolean;
}

/** A contract in a list, where the type of its payload does not matter. */
export type AnyJobContract = Pick<JobContract<object>, 'name' | 'queue' | 'retry' | 'isLast'>;

/** Declares a job. The function exists only so that TypeScript infers the payload's type. */
export function defineJob<P extends object>(contract: JobContract<P>): JobContract<P> {
  return contract;
}
