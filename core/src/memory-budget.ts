import { AppError } from './errors.ts';

/** How much of a process all messages together may take, and how much of it one source. */
export interface BudgetLimits {
  bytes: number;
  /** Messages at once. */
  slots: number;
  bytesPerSource: number;
  slotsPerSource: number;
}

/**
 * The share of one message. Its bytes count until `release`.
 */
export interface MemoryShare {
  /** Counts so many bytes more; false when there is no room, and then nothing is counted. */
  grow(bytes: number): boolean;
  /** The message is complete: it gives way to no other any more. */
  arrived(): void;
  /** Gives everything back. Harmless when called again. */
  release(): void;
}

class Share implements MemoryShare {
  readonly source: string;
  giveWay: (() => void) | null;
  readonly #budget: MemoryBudget;
  bytes = 0;
  isOpen = true;

  constructor(budget: MemoryBudget, source: string, giveWay: (() => void) | null) {
    this.#budget = budget;
    this.source = source;
    this.giveWay = giveWay;
  }

  grow(bytes: number): boolean {
    return this.isOpen && this.#budget.take(this, bytes);
  }

  arrived(): void {
    this.giveWay = null;
  }

  release(): void {
    if (this.isOpen) this.#budget.giveBack(this);
  }
}

interface Source {
  bytes: number;
  shares: Set<Share>;
}

/**
 * The memory that the messages of a process may take while they are read whole. A source (a
 * network, or an account that is logged in) has a share of it, and when all of it is used, the
 * messages that still arrive from the source with the most bytes give way to those of smaller ones.
 */
export class MemoryBudget {
  readonly #limits: BudgetLimits;
  readonly #sources = new Map<string, Source>();
  #bytes = 0;
  #slots = 0;

  constructor(limits: BudgetLimits) {
    this.#limits = limits;
  }

  /** Bytes that are held. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Begins a message; null when there is no room for another one.
   * @param giveWay ends the message for the sake of others; call it only while it still arrives
   */
  open(source: string, giveWay: (() => void) | null = null): MemoryShare | null {
    const known = this.#sources.get(source) ?? { bytes: 0, shares: new Set() };
    const { slots, slotsPerSource } = this.#limits;
    if (this.#slots >= slots || known.shares.size >= slotsPerSource) return null;
    const share = new Share(this, source, giveWay);
    this.#sources.set(source, known);
    known.shares.add(share);
    this.#slots += 1;
    return share;
  }

  /**
   * Runs some work on a message that takes so many bytes.
   * @throws AppError 503 when there is no room
   */
  async run<T>(source: string, bytes: number, work: () => Promise<T>): Promise<T> {
    const share = this.open(source);
    try {
      if (!share?.grow(bytes)) throw noRoom();
      return await work();
    } finally {
      share?.release();
    }
  }

  /** Called by the share. */
  take(share: Share, bytes: number): boolean {
    const source = this.#sources.get(share.source);
    if (!source || source.bytes + bytes > this.#limits.bytesPerSource) return false;
    while (this.#bytes + bytes > this.#limits.bytes) {
      if (!this.#makeRoom(source.bytes + bytes)) return false;
    }
    share.bytes += bytes;
    source.bytes += bytes;
    this.#bytes += bytes;
    return true;
  }

  /** Called by the share. */
  giveBack(share: Share): void {
    share.isOpen = false;
    const source = this.#sources.get(share.source);
    if (!source?.shares.delete(share)) return;
    source.bytes -= share.bytes;
    this.#bytes -= share.bytes;
    this.#slots -= 1;
    if (source.shares.size === 0) this.#sources.delete(share.source);
  }

  /**
   * Ends the largest message that still arrives from the largest source; false when no source holds
   * more than the asking one.
   */
  #makeRoom(asking: number): boolean {
    const larger = [...this.#sources.values()]
      .filter(({ bytes }) => bytes > asking)
      .toSorted((a, b) => b.bytes - a.bytes);
    for (const { shares } of larger) {
      const ending = [...shares].filter(({ giveWay }) => giveWay !== null).toSorted((a, b) => b.bytes - a.bytes)[0];
      if (!ending || ending.bytes === 0) continue;
      this.giveBack(ending);
      ending.giveWay?.();
      return true;
    }
    return false;
  }
}

/** The limits of a process that may use so much memory for messages of at most such a size. */
export function budgetLimits(bytes: number, largestMessage: number): BudgetLimits {
  return { bytes, slots: 1024, bytesPerSource: Math.max(bytes / 4, largestMessage * 1.5), slotsPerSource: 256 };
}

/** There is no memory for another message at the moment: 503 to HTTP, 452 4.3.1 to SMTP. */
export function noRoom(): AppError {
  return new AppError({
    status: 503,
    code: 'too_much_at_once',
    publicText: 'Too much is being sent at this moment. Please try again in a minute.',
    headers: { 'Retry-After': '30' },
  });
}
