import type { z } from 'zod';

/** Queues, each with its own workers, so that slow remote servers never hold up notifications. */
export type QueueName = 'outbound' | 'mail' | 'domain';

/** How often a job that throws is run again. */
export interface JobRetry {
  /** Runs in all. */
  attempts: number;
  /** Wait before the second run; it doubles each time, with jitter. */
  backoffMs?: number;
}

/** The whole agreement between who asks for a job and who does it. Both ends parse the payload. */
export interface JobContract<P extends object> {
  /** `<area>.<verb>` */
  name: string;
  queue: QueueName;
  /** Ids only: never bodies, addresses or secrets. */
  payload: z.ZodType<P>;
  /** Jobs with the same id wait only once; one that comes while another runs is run after it. No colon. */
  dedupe: (payload: P) => string;
  retry: JobRetry;
  /** One payload for several jobs that are announced at the same time, where one run can do the work of all; at most `mergedRows`. */
  merge?(payloads: readonly P[]): P;
}

/** So many jobs are merged into one at most. */
export const mergedRows = 50;

/** A contract whose payload type doesn't matter, in lists. */
export type AnyJobContract = Pick<JobContract<object>, 'name' | 'queue' | 'retry' | 'merge'>;

/** Declares a job; only there to infer its types. */
export function defineJob<P extends object>(contract: JobContract<P>): JobContract<P> {
  return contract;
}
