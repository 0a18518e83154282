import type { Endpoint } from '@selvage/core/contracts/endpoint';
import type { App } from '@selvage/core/context/app';
import type { Ctx } from '@selvage/core/context/context';
import { networkOf } from '@selvage/core/access/network-of';
import { type MemoryShare, noRoom, smallMessage } from '@selvage/core/memory-budget';
import type { Context } from 'koa';

/** What each call holds of the memory for messages. */
const held = new WeakMap<Ctx, MemoryShare>();

/**
 * Takes the memory that the body of a request needs until its work has ended, from the share of the
 * person, or of the network where no person has logged in.
 * @throws AppError 503 when there is none left
 */
export function holdBody(ctx: Ctx, koa: Context, endpoint: Endpoint): void {
  const bytes = Math.min(announcedBytes(koa, ctx.app, endpoint), ctx.app.config.maxMessageBytes);
  if (bytes <= smallMessage) return;
  try {
    hold(ctx, bytes);
  } catch (error) {
    // What the client goes on sending is not wanted
    koa.set('Connection', 'close');
    throw error;
  }
}

/**
 * Takes more memory for a call that puts stored files into a message, until its work has ended. It
 * never waits: what a waiting call holds already may be what it waits for.
 * @throws AppError 503 when there is none left
 */
export function holdForCall(ctx: Ctx, bytes: number): void {
  if (bytes > smallMessage) hold(ctx, bytes);
}

/** Gives back all that a call holds. */
export function releaseCall(ctx: Ctx): void {
  held.get(ctx)?.release();
  held.delete(ctx);
}

function hold(ctx: Ctx, bytes: number): void {
  const share = held.get(ctx);
  if (share === undefined) {
    held.set(ctx, ctx.app.memory.take(ctx.actor ? `user:${ctx.actor.userId}` : networkOf(ctx.address), bytes));
  } else if (!share.grow(bytes)) {
    throw noRoom();
  }
}

/** A body without a length may become as long as the call allows. */
function announcedBytes(koa: Context, { config }: App, endpoint: Endpoint): number {
  if (koa.get('transfer-encoding') === '') return Number(koa.get('content-length') || 0);
  return endpoint.bodyKind === 'multipart' ? config.maxMessageBytes : (endpoint.bodyLimit ?? 1_048_576);
}
