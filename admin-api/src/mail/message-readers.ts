import type { App } from '@selvage/core/context/app';
import type { MemoryShare } from '@selvage/core/memory-budget';
import type { Context } from 'koa';
import { limitSending } from '../http/limit-sending.ts';

/** What is read, and for whom. */
export interface Reading {
  userId: string;
  /** What the work holds at most at a time. */
  bytes: number;
}

/** A whole message takes its bytes, and as many again where they are put together. */
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
 * The same for work whose result is then sent: the bytes are held until the client has it, which
 * may take as long as an upload. A client that has gone by its turn gets nothing read.
 */
export async function readToSend<T>(
  app: App,
  koa: Context,
  { userId, bytes }: Reading,
  work: () => Promise<T>,
): Promise<T> {
  const { res } = koa;
  const gone = new AbortController();
  const noteGone = () => gone.abort(new Error('the client has gone'));
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
