import type { App } from '@selvage/core/context/app';
import { type MemoryShare, smallMessage } from '@selvage/core/memory-budget';
import type { Context } from 'koa';
import { limitSending, whenGone } from '../http/limit-sending.ts';

/** For whom messages are read, and how much memory that takes. */
export interface Reading {
  userId: string;
  /** The most that the work holds in memory at a time. */
  bytes: number;
}

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
  return await app.memory.run(sourceOf(reading), reading.bytes, work);
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
    if (needed > smallMessage && more > 0) holdWhileSent(koa, app.memory.take(sourceOf(reading), more));
  });
}

/**
 * Waits for memory for an answer. It stays reserved until the client has received the answer, which
 * may take as long as an upload. The caller must hold no other memory for messages, since two that
 * wait might each hold what the other needs.
 * @throws AppError 503 when too many wait, or when the client disconnects while it waits
 */
export async function holdAnswer(app: App, koa: Context, reading: Reading): Promise<void> {
  const share = await app.memory.wait(sourceOf(reading), reading.bytes, whenGone(koa));
  holdWhileSent(koa, share);
  limitSending(app, koa);
}

function sourceOf({ userId }: Reading): string {
  return `user:${userId}`;
}

function holdWhileSent({ res }: Context, share: MemoryShare): void {
  if (res.closed) share.release();
  else res.once('close', () => share.release());
}
