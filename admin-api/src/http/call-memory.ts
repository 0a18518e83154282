import { AsyncLocalStorage } from 'node:async_hooks';
import type { Endpoint } from '@selvage/core/contracts/endpoint';
import type { Ctx } from '@selvage/core/context/context';
import { networkOf } from '@selvage/core/access/network-of';
import { largeMessage, type MemoryShare, smallMessage, tooMuchAtOnce } from '@selvage/core/memory-budget';
import type { Context } from 'koa';
import { jsonLimitOf } from './read-body.ts';

const running = new AsyncLocalStorage<CallMemory>();

/**
 * The memory for messages that one call holds. It counts towards the share of the person, or of the
 * network if no person is logged in.
 */
export class CallMemory {
  readonly #ctx: Ctx;
  #share: MemoryShare | null = null;
  #bytes = 0;

  constructor(ctx: Ctx) {
    this.#ctx = ctx;
  }

  /**
   * Refuses a body for which there is no memory. Its caller may send it very slowly, so its bytes
   * count only as they arrive, until the call's work has ended. Until it has arrived, a large one
   * leaves half of all memory to others.
   * @throws AppError 503 when there is none
   */
  beginBody(koa: Context, endpoint: Endpoint): void {
    const bytes = announcedBytes(koa, this.#ctx, endpoint);
    if (bytes <= smallMessage) return;
    this.#share = this.#ctx.app.memory.take(sourceOf(this.#ctx), bytes, bytes > largeMessage);
    this.#share.keep(0);
  }

  /**
   * Counts a body of which so many bytes have arrived.
   * @throws AppError 503 when no memory is left
   */
  holdArrived(bytes: number): void {
    if (this.#share !== null) this.hold(bytes - this.#bytes);
  }

  /** The body has arrived whole. */
  endBody(): void {
    this.#share?.arrived();
  }

  /**
   * Reserves memory for the call. One call may hold the whole share of its source, so that the
   * largest message can be sent.
   * @throws AppError 503 when none is left
   */
  hold(bytes: number): void {
    if (bytes <= smallMessage) return;
    const { memory } = this.#ctx.app;
    const more = Math.min(bytes, memory.mostOfSource - this.#bytes);
    if (this.#share === null) this.#share = memory.take(sourceOf(this.#ctx), more);
    else if (!this.#share.grow(more)) throw tooMuchAtOnce();
    this.#bytes += more;
  }

  /** Runs the work of the call, and releases all its memory once the work has ended. */
  async run<T>(work: () => Promise<T> | T): Promise<T> {
    try {
      return await running.run(this, work);
    } finally {
      this.release();
    }
  }

  /** Releases all memory of the call. A second call does nothing. */
  release(): void {
    this.#share?.release();
  }
}

/**
 * Reserves more memory for the running call, which adds stored files to a message. It never waits:
 * two waiting calls might each hold the memory that the other needs.
 * @throws AppError 503 when none is left
 */
export function holdForCall(bytes: number): void {
  const call = running.getStore();
  if (call === undefined) throw new Error('no call is under way');
  call.hold(bytes);
}

/** The key under which the memory of a call is counted: its person, or their network. */
export function sourceOf({ actor, address }: Ctx): string {
  return actor ? sourceOfUser(actor.userId) : networkOf(address);
}

/** The key under which the memory of a person is counted. */
export function sourceOfUser(userId: string): string {
  return `user:${userId}`;
}

/**
 * The bytes that the body may have: as many as it announces, or as the call allows. A longer one is
 * refused.
 */
function announcedBytes(koa: Context, { app: { config } }: Ctx, endpoint: Endpoint): number {
  const most = endpoint.bodyKind === 'multipart' ? config.maxMessageBytes : jsonLimitOf(endpoint);
  const announced = koa.get('transfer-encoding') === '' ? Number(koa.get('content-length') || 0) : most;
  return Math.min(announced, most);
}
