import type { App } from '@selvage/core/context/app';
import type { Ctx } from '@selvage/core/context/context';
import { callPatience, largeMessage, type MemoryShare } from '@selvage/core/memory-budget';
import type { Context } from 'koa';
import { sourceOf, sourceOfUser } from './call-memory.ts';
import { limitSending, whenGone } from './limit-sending.ts';

/** For whom messages are read, and how much memory that takes. */
export interface Reading {
  userId: string;
  /** The most that the work holds in memory at a time. */
  bytes: number;
}

/** Answers whose memory is reserved. */
const held = new WeakSet<Context>();

/**
 * Waits for memory for an answer, until the client disconnects. It stays reserved until the client
 * has received the answer, which may take as long as an upload. So large answers leave half of all
 * memory to others. The caller must hold no other memory for messages, since two that wait might
 * each hold what the other needs.
 * @throws AppError 503 when too many wait, or when the client disconnects while it waits
 */
export async function holdAnswer(
  app: App,
  koa: Context,
  { userId, bytes }: Reading,
  signal = whenGone(koa),
): Promise<MemoryShare> {
  const share = await app.memory.wait(sourceOfUser(userId), bytes, signal, bytes > largeMessage);
  holdWhileSent(koa, share);
  limitSending(app, koa);
  return share;
}

/**
 * As `holdAnswer`, for a call: it has a place among the calls that run at once, so it waits only
 * for a moment.
 */
export async function holdAnswerOfCall(app: App, koa: Context, reading: Reading): Promise<void> {
  await holdAnswer(app, koa, reading, AbortSignal.any([whenGone(koa), callPatience()]));
}

/** Answers up to this size are not counted: the number of calls and connections bounds them. */
const smallAnswer = 262_144;

/**
 * Reserves memory for a large answer that is ready, unless `holdAnswer` has done so. Its client may
 * be slow to receive it, and hold very many connections.
 * @throws AppError 503 when none is left for the caller
 */
export function holdLargeAnswer(ctx: Ctx, koa: Context, text: string): void {
  const bytes = Buffer.byteLength(text);
  if (bytes <= smallAnswer || held.has(koa)) return;
  const { memory } = ctx.app;
  holdWhileSent(koa, memory.take(sourceOf(ctx), bytes, bytes > largeMessage));
  limitSending(ctx.app, koa);
}

/** Releases a share once the answer was sent, or its client is gone. */
export function holdWhileSent(koa: Context, share: MemoryShare): void {
  held.add(koa);
  if (koa.res.closed) share.release();
  else koa.res.once('close', () => share.release());
}
