import { AsyncLocalStorage } from 'node:async_hooks';
import type { Endpoint } from '@selvage/core/contracts/endpoint';
import type { Ctx } from '@selvage/core/context/context';
import { networkOf } from '@selvage/core/access/network-of';
import { type MemoryShare, tooMuchAtOnce, smallMessage } from '@selvage/core/memory-budget';
import type { Context } from 'koa';

const running = new AsyncLocalStorage<CallMemory>();

/**
 * What a call holds of the memory for messages, in the share of the person, or of the network where
 * no person has logged in.
 */
export class CallMemory {
  readonly #ctx: Ctx;
  #share: MemoryShare | null = null;
  #bytes = 0;

  constructor(ctx: Ctx) {
    this.#ctx = ctx;
  }

  /**
   * Takes the memory that the body of a request needs until its work has ended.
   * @throws AppError 503 when there is none left
   */
  holdBody(koa: Context, endpoint: Endpoint): void {
    this.hold(announcedBytes(koa, this.#ctx, endpoint));
  }

  /**
   * Takes memory for the call. One call may hold all that its source may have, so that the largest
   * message can be sent.
   * @throws AppError 503 when there is none left
   */
  hold(bytes: number): void {
    if (bytes <= smallMessage) return;
    const { memory } = this.#ctx.app;
    const more = Math.min(bytes, memory.mostOfSource - this.#bytes);
    if (this.#share === null) this.#share = memory.take(sourceOf(this.#ctx), more);
    else if (!this.#share.grow(more)) throw tooMuchAtOnce();
    this.#bytes += more;
  }

  /** Does the work of the call, and gives back all that it holds once the work has ended. */
  async run<T>(work: () => Promise<T> | T): Promise<T> {
    try {
      return await running.run(this, work);
    } finally {
      this.release();
    }
  }

  /** Gives everything back. Harmless when called again. */
  release(): void {
    this.#share?.release();
  }
}

/**
 * Takes more memory for the call under way, which puts stored files into a message. It never waits:
 * what a waiting call holds already may be what it waits for.
 * @throws AppError 503 when there is none left
 */
export function holdForCall(bytes: number): void {
  const call = running.getStore();
  if (call === undefined) throw new Error('no call is under way');
  call.hold(bytes);
}

function sourceOf({ actor, address }: Ctx): string {
  return actor ? `user:${actor.userId}` : networkOf(address);
}

/** A body without a length may become as long as the call allows. */
function announcedBytes(koa: Context, { app: { config } }: Ctx, endpoint: Endpoint): number {
  const most = endpoint.bodyKind === 'multipart' ? config.maxMessageBytes : (endpoint.bodyLimit ?? 1_048_576);
  const announced = koa.get('transfer-encoding') === '' ? Number(koa.get('content-length') || 0) : most;
  return Math.min(announced, config.maxMessageBytes);
}
