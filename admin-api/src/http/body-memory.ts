import type { Endpoint } from '@selvage/core/contracts/endpoint';
import type { App } from '@selvage/core/context/app';
import type { Ctx } from '@selvage/core/context/context';
import { networkOf } from '@selvage/core/access/network-of';
import { type MemoryShare, noRoom } from '@selvage/core/memory-budget';
import type { Context } from 'koa';

/** Smaller bodies are not counted: the number of connections bounds them. */
const smallBody = 65_536;

/**
 * Takes the memory that the body of a request needs until it is answered, from the share of the
 * person, or of the network where no person has logged in. Null when the body is small.
 * @throws AppError 503 when there is none left
 */
export function takeBodyMemory(app: App, ctx: Ctx, koa: Context, endpoint: Endpoint): MemoryShare | null {
  const bytes = Math.min(announcedBytes(koa, app, endpoint), app.config.maxMessageBytes);
  if (bytes <= smallBody) return null;
  const source = ctx.actor ? `user:${ctx.actor.userId}` : networkOf(ctx.address);
  const share = app.memory.open(source);
  if (share?.grow(bytes)) return share;
  share?.release();
  // What the client goes on sending is not wanted
  koa.set('Connection', 'close');
  throw noRoom();
}

/** A body without a length may become as long as the call allows. */
function announcedBytes(koa: Context, { config }: App, endpoint: Endpoint): number {
  if (koa.get('transfer-encoding') === '') return Number(koa.get('content-length') || 0);
  return endpoint.bodyKind === 'multipart' ? config.maxMessageBytes : (endpoint.bodyLimit ?? 1_048_576);
}
