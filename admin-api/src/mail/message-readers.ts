import type { App } from '@selvage/core/context/app';
import type { MemoryShare } from '@selvage/core/memory-budget';
import type { Context } from 'koa';
import { limitSending } from '../http/limit-sending.ts';
import { tooBusy } from '../http/work-queue.ts';

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
export async function readMessages<T>(app: App, { userId, bytes }: Reading, work: () => Promise<T>): Promise<T> {
  return await app.memory.run(`user:${userId}`, bytes, work);
}

/**
 * As `readMessages`, for work whose result is then sent. The memory stays reserved until the client
 * has received it, which may take as long as an upload. If the client disconnects while it waits
 * for its turn, nothing is read.
 */
export async function readToSend<T>(
  app: App,
  koa: Context,
  { userId, bytes }: Reading,
  work: () => Promise<T>,
): Promise<T> {
  const { res } = koa;
  const gone = new AbortController();
  const noteGone = () => gone.abort(tooBusy());
  res.once('close', noteGone);
  const share = await app.memory.wait(`user:${userId}`, bytes, gone.signal);
  res.off('close', noteGone);
  holdWhileSent(koa, share);
  limitSending(app, koa);
  return await work();
}

function holdWhileSent({ res }: Context, share: MemoryShare): void {
  if (res.closed) share.release();
  else res.once('close', () => share.release());
}
