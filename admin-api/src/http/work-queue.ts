import { networkOf } from '@selvage/core/access/network-of';
import type { Ctx } from '@selvage/core/context/context';
import { type AppError, tooBusy } from '@selvage/core/errors';
import { FairQueue } from '@selvage/core/fair-queue';
import type { Config } from '@selvage/core/process/config';
import { withDeadline } from '@selvage/core/with-deadline';

/**
 * How many calls may wait. Beyond that, calls of the caller with the most waiting are refused
 * first.
 */
const waiting = 1000;
/**
 * The share of the places that one caller may have, so that slow work of one person leaves places
 * and database connections to all others. There are twice as many places as connections, and a call
 * that reads a list uses two connections. So one caller's lists leave a fifth of the connections.
 */
const mostOfCaller = 0.2;

/** How long a call waits, and the error that its caller then gets. */
interface Patience {
  /**
   * How long the call may wait in the queue. Its work may then take as long again. In milliseconds.
   */
  limitMs: number;
  /** True when the caller has closed the connection. */
  isGone: () => boolean;
  /** The error for work that takes too long. The work itself goes on. */
  late: () => Error;
}

/** What a call passes to the queue. */
export interface Turn extends Patience {
  ctx: Ctx;
}

/**
 * Lets a limited number of calls run at once, so that in a flood some are finished in time instead
 * of all too late. Callers take turns: by person, or by network before the login. Calls without a
 * login have separate places, so they never delay people who are logged in.
 */
export class WorkQueue {
  readonly #people: FairQueue;
  readonly #strangers: FairQueue;
  readonly #lookUps: FairQueue;

  /** @param atOnce limit for each: calls of people, calls of strangers, and look-ups of people */
  constructor(atOnce: number) {
    const limits = { atOnce, waiting, ofKey: Math.max(1, Math.floor(atOnce * mostOfCaller)) };
    this.#people = new FairQueue(limits);
    this.#strangers = new FairQueue(limits);
    this.#lookUps = new FairQueue(limits);
  }

  /**
   * Settles with the work. A call that waited too long is not begun.
   * @throws {AppError} 503 `too_busy` when the call was not begun; `late()` when its work takes too
   * long
   */
  async run<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
    const { actor, address } = turn.ctx;
    if (actor) return await runInTurn(this.#people, actor.userId, turn, work);
    return await runInTurn(this.#strangers, networkOf(address), turn, work);
  }

  /**
   * As `run`, for looking up the person whom a signed token names. These look-ups take turns by
   * person, so a flood of calls or websockets with one token does not delay the look-ups of others.
   */
  async lookUp<T>(userId: string, patience: Patience, work: () => Promise<T>): Promise<T> {
    return await runInTurn(this.#lookUps, userId, patience, work);
  }
}

/** A queue that lets twice as many calls work at once as the process has database connections. */
export function createWorkQueue({ databasePool }: Config): WorkQueue {
  return new WorkQueue(databasePool * 2);
}

async function runInTurn<T>(
  queue: FairQueue,
  key: string,
  { limitMs, isGone, late }: Patience,
  work: () => Promise<T>,
): Promise<T> {
  const begun = Promise.withResolvers<void>();
  let isTooLate = false;
  // The work keeps its place until it has ended, even after the caller got the timeout
  const done = queue.run(key, async () => {
    if (isTooLate || isGone()) throw notBegun();
    begun.resolve();
    return await work();
  });
  const begunOrRefused = Promise.race([begun.promise, done]);
  await withDeadline(begunOrRefused, limitMs, () => {
    isTooLate = true;
    return notBegun();
  });
  return await withDeadline(done, limitMs, late);
}

/** The error for work that was not begun, also because its caller has closed the connection. */
export function notBegun(): AppError {
  return tooBusy('The server is very busy. Nothing was done. Please try again in a moment.');
}
