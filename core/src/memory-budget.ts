import { AppError } from './errors.ts';

/**
 * How much memory of a process all messages together may take, and how much of it one source may
 * take.
 */
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
  /** Called when the message is complete. It is not ended for the sake of others after that. */
  arrived(): void;
  /** Gives everything back. Harmless when called again. */
  release(): void;
}

class Share implements MemoryShare {
  readonly source: string;
  isLasting = false;
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
    return this.isOpen && this.#budget.grow(this, bytes);
  }

  arrived(): void {
    this.giveWay = null;
  }

  release(): void {
    if (this.isOpen) this.#budget.giveBack(this);
  }
}

/** A message that waits for room. */
interface Waiting {
  bytes: number;
  isLasting: boolean;
  begin(share: MemoryShare): void;
  refuse(error: Error): void;
}

/** Messages this small are not counted: the number of calls and transfers bounds them. */
export const smallMessage = 65_536;
const uncounted: MemoryShare = { grow: () => true, arrived: () => undefined, release: () => undefined };
/** The most messages that wait for room. Beyond it, the source with the most of them loses one. */
const mostWaiting = 500;

interface Source {
  bytes: number;
  shares: Set<Share>;
}

/**
 * The memory that the messages of a process may take while they are read whole: those that arrive,
 * those that people open, and those that leave. A source (a network, an account that is logged in,
 * or the domain that mail leaves for) has a share of it, and when all of it is used, the
 * messages that still arrive from the source with the most bytes give way to those of smaller ones.
 * Lasting messages, which are held for as long as another host likes, leave half of it to others.
 */
export class MemoryBudget {
  readonly #limits: BudgetLimits;
  readonly #sources = new Map<string, Source>();
  readonly #lines = new Map<string, Waiting[]>();
  #waiting = 0;
  #bytes = 0;
  #lastingBytes = 0;
  #slots = 0;

  constructor(limits: BudgetLimits) {
    this.#limits = limits;
  }

  /** Bytes that are held. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The most that one source may hold. */
  get mostOfSource(): number {
    return Math.min(this.#limits.bytesPerSource, this.#limits.bytes);
  }

  /** The most that all lasting messages together may hold: half of it all, or one message. */
  get #mostOfLasting(): number {
    return Math.max(this.#limits.bytes / 2, this.mostOfSource);
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
   * Takes the bytes of a message that is read whole, but at most `mostOfSource`, or says at once
   * that there is no room.
   * @throws AppError 503 when there is none
   */
  take(source: string, bytes: number): MemoryShare {
    const share = this.open(source);
    if (share?.grow(Math.min(bytes, this.mostOfSource))) return share;
    share?.release();
    throw tooMuchAtOnce();
  }

  /**
   * Takes the bytes of a message that is read whole as soon as there is room for them. Sources take
   * turns, and a message that waits for room is not overtaken by smaller ones. Only a lasting one
   * that waits for the share of all lasting messages is overtaken, by those that are not lasting. A
   * message that needs more than one source may have counts as that much.
   * @param signal ends the waiting
   * @param isLasting the message is held for as long as another host likes. Its source has no other
   *   messages, since these would wait behind it
   * @throws AppError 503 when too many wait; the reason of the signal
   */
  async wait(source: string, bytes: number, signal?: AbortSignal, isLasting = false): Promise<MemoryShare> {
    if (bytes <= smallMessage) return uncounted;
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<MemoryShare>();
    const one: Waiting = { bytes: Math.min(bytes, this.mostOfSource), isLasting, begin: resolve, refuse: reject };
    const line = this.#lines.get(source) ?? [];
    this.#lines.set(source, line);
    line.push(one);
    this.#waiting += 1;
    if (this.#waiting > mostWaiting) this.#refuseOne();
    this.#admit();
    const giveUp = () => {
      if (!this.#leave(source, one)) return;
      reject(signal?.reason as Error);
      this.#admit();
    };
    signal?.addEventListener('abort', giveUp, { once: true });
    try {
      return await promise;
    } finally {
      signal?.removeEventListener('abort', giveUp);
    }
  }

  /** Runs some work on a message that takes so many bytes, once `wait` has them. */
  async run<T>(source: string, bytes: number, work: () => Promise<T>): Promise<T> {
    const share = await this.wait(source, bytes);
    try {
      return await work();
    } finally {
      share.release();
    }
  }

  /** Called by the share. */
  grow(share: Share, bytes: number): boolean {
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
    this.#free(share);
    this.#admit();
  }

  #free(share: Share): void {
    share.isOpen = false;
    const source = this.#sources.get(share.source);
    if (!source?.shares.delete(share)) return;
    source.bytes -= share.bytes;
    this.#bytes -= share.bytes;
    if (share.isLasting) this.#lastingBytes -= share.bytes;
    this.#slots -= 1;
    if (source.shares.size === 0) this.#sources.delete(share.source);
  }

  /** Lets messages begin that wait, for as long as there is room. */
  #admit(): void {
    let next = this.#nextInTurn();
    while (next !== null) {
      const { source, line, one } = next;
      const share = this.open(source);
      if (!share?.grow(one.bytes)) {
        if (share instanceof Share) this.#free(share);
        return;
      }
      if (one.isLasting && share instanceof Share) {
        share.isLasting = true;
        this.#lastingBytes += share.bytes;
      }
      line.shift();
      this.#waiting -= 1;
      this.#lines.delete(source);
      // The source moves behind the others, so its next message waits until each of them had a turn
      if (line.length > 0) this.#lines.set(source, line);
      one.begin(share);
      next = this.#nextInTurn();
    }
  }

  /**
   * The message whose turn it is. Sources that have used up their share are skipped. So are all
   * lasting messages from the first one on that does not fit the share of these: if smaller ones
   * went before it, that share would never have room for it.
   */
  #nextInTurn(): { source: string; line: Waiting[]; one: Waiting } | null {
    let isLastingFull = false;
    for (const [source, line] of this.#lines) {
      const [one] = line;
      const { bytes = 0, shares } = this.#sources.get(source) ?? {};
      const isFull = (shares?.size ?? 0) >= this.#limits.slotsPerSource;
      if (!one || isFull || bytes + one.bytes > this.#limits.bytesPerSource) continue;
      if (one.isLasting) {
        isLastingFull ||= this.#lastingBytes + one.bytes > this.#mostOfLasting;
        if (isLastingFull) continue;
      }
      return { source, line, one };
    }
    return null;
  }

  /** Refuses the newest message of the source with the most waiting messages. */
  #refuseOne(): void {
    const [source = '', line = []] = [...this.#lines].reduce((most, one) =>
      one[1].length > most[1].length ? one : most,
    );
    const newest = line.at(-1);
    if (newest && this.#leave(source, newest)) newest.refuse(tooMuchAtOnce());
  }

  #leave(source: string, one: Waiting): boolean {
    const line = this.#lines.get(source) ?? [];
    const at = line.indexOf(one);
    if (at < 0) return false;
    line.splice(at, 1);
    this.#waiting -= 1;
    if (line.length === 0) this.#lines.delete(source);
    return true;
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
      this.#free(ending);
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
export function tooMuchAtOnce(): AppError {
  return new AppError({
    status: 503,
    code: 'too_much_at_once',
    publicText: 'Too much is being sent at this moment. Please try again in a minute.',
    headers: { 'Retry-After': '30' },
  });
}
