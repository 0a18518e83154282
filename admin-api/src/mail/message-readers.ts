import type { App } from '@selvage/core/context/app';
import { smallMessage } from '@selvage/core/memory-budget';
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
 * @throws AppError 503 when too many wait
 */
export async function readMessages<T>(app: App, reading: Reading, work: () => Promise<T>): Promise<T> {
  return await app.memory.run(sourceOfUser(reading.userId), reading.bytes, work);
}

/**
 * As `readMessages`, for work whose result is then sent; see `holdAnswer`.
 * @param work gets a function to call with the bytes of a result that may need more memory than
 *   reading did. It throws AppError 503 when there is none
 */
export async function readToSend<T>(
  app: App,
  koa: Context,
  reading: Reading,
  work: (hold: (bytes: number) => void) => Promise<T>,
): Promise<T> {
  await holdAnswer(app, koa, reading);
  return await work((needed) => {
    const more = Math.min(needed, app.memory.mostOfSource) - reading.bytes;
    if (needed > smallMessage && more > 0) holdWhileSent(koa, app.memory.take(sourceOfUser(reading.userId), more));
  });
}
