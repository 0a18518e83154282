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
  /** Gives back all but so many bytes. */
  keep(bytes: number): void;
  /**
   * Called when the message is complete. After that it is not ended for the sake of others, and it
   * is no longer a lasting one.
   */
  arrived(): void;
  /** Gives everything back. Harmless when called again. */
  release(): void;
}

interface ShareKind {
  giveWay: (() => void) | null;
  isLasting: boolean;
}

class Share implements MemoryShare {
  readonly source: string;
  isLasting: boolean;
  giveWay: (() => void) | null;
  readonly #budget: MemoryBudget;
  bytes = 0;
  isOpen = true;

  constructor(budget: MemoryBudget, source: string, { giveWay, isLasting }: ShareKind) {
    this.#budget = budget;
    this.source = source;
    this.giveWay = giveWay;
    this.isLasting = isLasting;
  }

  grow(bytes: number): boolean {
    return this.isOpen && this.#budget.grow(this, bytes);
  }

  keep(bytes: number): void {
    if (this.isOpen && bytes < this.bytes) this.#budget.shrink(this, bytes);
  }

  arrived(): void {
    this.giveWay = null;
    if (this.isOpen) this.#budget.endLasting(this);
  }

  release(): void {
    if (this.isOpen) this.#budget.giveBack(this);
  }
}

/** A message that waits for room. */
interface Waiting {
  source: string;
  bytes: number;
  isLasting: boolean;
  begin(share: MemoryShare): void;
  refuse(error: Error): void;
}

/** Messages this small are not counted: the number of calls and transfers bounds them. */
export const smallMessage = 65_536;
/**
 * A message that needs more than this many bytes, and is held for as long as another host or a
 * person's line likes, counts as a lasting one.
 */
export const largeMessage = 4_194_304;
const uncounted: MemoryShare = {
  grow: () => true,
  keep: () => undefined,
  arrived: () => undefined,
  release: () => undefined,
};
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
 * Lasting messages, which are held for as long as another host or a person's line likes, leave half
 * of it to others.
 */
export class MemoryBudget {
  readonly #limits: BudgetLimits;
  readonly #sources = new Map<string, Source>();
  /** Those that wait, by source; the lasting ones of a source have a line of their own. */
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
  open(source: string, giveWay: (() => void) | null = null, isLasting = false): MemoryShare | null {
    const known = this.#sources.get(source) ?? { bytes: 0, shares: new Set() };
    const { slots, slotsPerSource } = this.#limits;
    if (this.#slots >= slots || known.shares.size >= slotsPerSource) return null;
    const share = new Share(this, source, { giveWay, isLasting });
    this.#sources.set(source, known);
    known.shares.add(share);
    this.#slots += 1;
    return share;
  }

  /**
   * Takes the bytes of a message that is read whole, but at most `mostOfSource`, or says at once
   * that there is no room. It does not overtake messages that wait for room.
   * @param isLasting as in `wait`
   * @throws AppError 503 when there is none
   */
  take(source: string, bytes: number, isLasting = false): MemoryShare {
    const share = this.#nextInTurn() === null ? this.open(source, null, isLasting) : null;
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
   * @param isLasting the message is held for as long as another host or a person's line likes
   * @throws AppError 503 when too many wait, or when the time of the signal is over; else the
   *   reason of the signal
   */
  async wait(source: string, bytes: number, signal?: AbortSignal, isLasting = false): Promise<MemoryShare> {
    if (bytes <= smallMessage) return uncounted;
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<MemoryShare>();
    const most = Math.min(bytes, this.mostOfSource);
    const one: Waiting = { source, bytes: most, isLasting, begin: resolve, refuse: reject };
    const line = this.#lines.get(lineOf(one)) ?? [];
    this.#lines.set(lineOf(one), line);
    line.push(one);
    this.#waiting += 1;
    if (this.#waiting > mostWaiting) this.#refuseOne();
    this.#admit();
    const giveUp = () => {
      if (!this.#leave(one)) return;
      const reason = signal?.reason as Error;
      reject(reason.name === 'TimeoutError' ? tooMuchAtOnce() : reason);
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
  async run<T>(source: string, bytes: number, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const share = await this.wait(source, bytes, signal);
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
    if (share.isLasting && this.#lastingBytes + bytes > this.#mostOfLasting) return false;
    while (this.#bytes + bytes > this.#limits.bytes) {
      if (!this.#makeRoom(source.bytes + bytes)) return false;
    }
    this.#count(share, source, bytes);
    return true;
  }

  /** Called by the share. */
  shrink(share: Share, bytes: number): void {
    const source = this.#sources.get(share.source);
    if (source) this.#count(share, source, bytes - share.bytes);
    this.#admit();
  }

  /** Called by the share. */
  endLasting(share: Share): void {
    if (!share.isLasting) return;
    share.isLasting = false;
    this.#lastingBytes -= share.bytes;
    this.#admit();
  }

  /** Called by the share. */
  giveBack(share: Share): void {
    this.#free(share);
    this.#admit();
  }

  #count(share: Share, source: Source, bytes: number): void {
    share.bytes += bytes;
    source.bytes += bytes;
    this.#bytes += bytes;
    if (share.isLasting) this.#lastingBytes += bytes;
  }

  #free(share: Share): void {
    share.isOpen = false;
    const source = this.#sources.get(share.source);
    if (!source?.shares.delete(share)) return;
    this.#count(share, source, -share.bytes);
    this.#slots -= 1;
    if (source.shares.size === 0) this.#sources.delete(share.source);
  }

  /** Lets messages begin that wait, for as long as there is room. */
  #admit(): void {
    let next = this.#nextInTurn();
    while (next !== null) {
      const { line, one } = next;
      const share = this.open(one.source, null, one.isLasting);
      if (!share?.grow(one.bytes)) {
        if (share instanceof Share) this.#free(share);
        return;
      }
      line.shift();
      this.#waiting -= 1;
      this.#lines.delete(lineOf(one));
      // The source moves behind the others, so its next message waits until each of them had a turn
      if (line.length > 0) this.#lines.set(lineOf(one), line);
      one.begin(share);
      next = this.#nextInTurn();
    }
  }

  /**
   * The message whose turn it is. Sources that have used up their share are skipped. So are all
   * lasting messages from the first one on that does not fit the share of these: if smaller ones
   * went before it, that share would never have room for it.
   */
  #nextInTurn(): { line: Waiting[]; one: Waiting } | null {
    let isLastingFull = false;
    for (const line of this.#lines.values()) {
      const [one] = line;
      if (!one) continue;
      const { bytes = 0, shares } = this.#sources.get(one.source) ?? {};
      const isFull = (shares?.size ?? 0) >= this.#limits.slotsPerSource;
      if (isFull || bytes + one.bytes > this.#limits.bytesPerSource) continue;
      if (one.isLasting) {
        isLastingFull ||= this.#lastingBytes + one.bytes > this.#mostOfLasting;
        if (isLastingFull) continue;
      }
      return { line, one };
    }
    return null;
  }

  /** Refuses the newest message of the source with the most waiting messages. */
  #refuseOne(): void {
    const longest = [...this.#lines.values()].reduce((most, one) => (one.length > most.length ? one : most));
    const newest = longest.at(-1);
    if (newest && this.#leave(newest)) newest.refuse(tooMuchAtOnce());
  }

  #leave(one: Waiting): boolean {
    const line = this.#lines.get(lineOf(one)) ?? [];
    const at = line.indexOf(one);
    if (at < 0) return false;
    line.splice(at, 1);
    this.#waiting -= 1;
    if (line.length === 0) this.#lines.delete(lineOf(one));
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

function lineOf({ source, isLasting }: Waiting): string {
  return isLasting ? `${source} lasting` : source;
}

/** The limits of a process that may use so much memory for messages of at most such a size. */
export function budgetLimits(bytes: number, largestMessage: number): BudgetLimits {
  return { bytes, slots: 1024, bytesPerSource: Math.max(bytes / 4, largestMessage * 1.5), slotsPerSource: 256 };
}

/**
 * How long a call waits for memory while it has a place among the calls that run at once. Then its
 * caller hears `tooMuchAtOnce`, and the place is free for other calls.
 */
export function callPatience(): AbortSignal {
  return AbortSignal.timeout(5000);
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
