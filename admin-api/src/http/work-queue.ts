import { networkOf } from '@selvage/core/access/network-of';
import type { Ctx } from '@selvage/core/context/context';
import { AppError } from '@selvage/core/errors';
import { FairQueue } from '@selvage/core/fair-queue';
import { withDeadline } from '@selvage/core/with-deadline';

/** Calls that wait; more are refused, of the caller with the most first. */
const waiting = 1000;
/**
 * Part of the places that one caller may have, so that slow work of one person leaves places and
 * connections to the database to all others. There are twice as many places as connections, and a
 * call that reads a list takes two connections: one caller's lists leave a fifth of these.
 */
const mostOfCaller = 0.2;

/** How long a call waits, and what it hears then. */
interface Patience {
  /** How long it may wait, and then how long its work may take. */
  limitMs: number;
  /** True when the caller has hung up. */
  isGone: () => boolean;
  /** The error for work that takes too long. The work goes on. */
  late: () => Error;
}

/** What a call needs to have its turn. */
export interface Turn extends Patience {
  ctx: Ctx;
}

/**
 * Lets a limited number of calls work at once, so that under a flood some are finished in time
 * rather than all too late. Callers take turns: by person, or by network before the login. Calls of
 * strangers have places of their own and never hold up people who are logged in.
 */
export class WorkQueue {
  readonly #people: FairQueue;
  readonly #strangers: FairQueue;
  readonly #lookUps: FairQueue;

  /** @param atOnce calls of people, as many of strangers, and as many people who are looked up */
  constructor(atOnce: number) {
    const limits = { atOnce, waiting, ofKey: Math.max(1, Math.floor(atOnce * mostOfCaller)) };
    this.#people = new FairQueue(limits);
    this.#strangers = new FairQueue(limits);
    this.#lookUps = new FairQueue(limits);
  }

  /**
   * Settles with the work. A call that waited too long is not begun.
   * @throws {AppError} 503 `too_busy` when it was not begun; `late()` when it takes too long
   */
  async run<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
    const { actor, address } = turn.ctx;
    if (actor) return await runInTurn(this.#people, actor.userId, turn, work);
    return await runInTurn(this.#strangers, networkOf(address), turn, work);
  }

  /**
   * As `run`, for looking up the person whom a signed token names: a flood under one token must not
   * keep others from being looked up.
   */
  async lookUp<T>(userId: string, patience: Patience, work: () => Promise<T>): Promise<T> {
    return await runInTurn(this.#lookUps, userId, patience, work);
  }
}

async function runInTurn<T>(
  queue: FairQueue,
  key: string,
  { limitMs, isGone, late }: Patience,
  work: () => Promise<T>,
): Promise<T> {
  const begun = Promise.withResolvers<void>();
  let isTooLate = false;
  // The place is taken until the work has ended, also when the caller was told that it is late
  const done = queue.run(key, async () => {
    if (isTooLate || isGone()) throw tooBusy();
    begun.resolve();
    return await work();
  });
  const begunOrRefused = Promise.race([begun.promise, done]);
  await withDeadline(begunOrRefused, limitMs, () => {
    isTooLate = true;
    return tooBusy();
  });
  return await withDeadline(done, limitMs, late);
}

function tooBusy(): AppError {
  return new AppError({
    status: 503,
    code: 'too_busy',
    publicText: 'The server is very busy. Nothing was done. Please try again in a moment.',
    headers: { 'Retry-After': '5' },
  });
}
