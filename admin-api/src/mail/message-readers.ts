import type { App } from '@selvage/core/context/app';
import { callPatience, largeMessage, smallMessage } from '@selvage/core/memory-budget';
import type { Context } from 'koa';
import { sourceOfUser } from '../http/call-memory.ts';
import { holdAnswer, holdWhileSent, type Reading } from '../http/hold-answer.ts';

/** Runs some work of a person once fewer pieces of that person's work run than the limit. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Reading a whole message takes its size in memory, and as much again for the copy in which its
 * pieces are joined.
 */
export const wholeBytes = ({ size }: { size: number }): number => Number(size) * 2;

/**
 * Runs work that reads whole messages into memory, once there is room for them in the budget of the
 * process. People take turns.
 * @param signal ends the waiting; unless given, it ends as that of a call
 * @throws AppError 503 when too many wait, or for too long
 */
export async function readMessages<T>(
  app: App,
  reading: Reading,
  work: () => Promise<T>,
  signal = callPatience(),
): Promise<T> {
  return await app.memory.run(sourceOfUser(reading.userId), reading.bytes, work, signal);
}

/**
 * As `readMessages`, for work whose result is then sent; see `holdAnswer`. While it is sent, only
 * the bytes of the result are held.
 * @param bytesOf the bytes of the result, which may be more than reading needed
 * @throws AppError 503 when there is no memory for the result
 */
export async function readToSend<T>(
  app: App,
  koa: Context,
  reading: Reading,
  work: () => Promise<T>,
  bytesOf: (result: T) => number,
): Promise<T> {
  const share = await holdAnswer(app, koa, reading);
  const result = await work();
  const needed = bytesOf(result);
  const more = Math.min(needed, app.memory.mostOfSource) - reading.bytes;
  if (more <= 0) share.keep(needed);
  else if (needed > smallMessage) {
    holdWhileSent(koa, app.memory.take(sourceOfUser(reading.userId), more, needed > largeMessage));
  }
  return result;
}
