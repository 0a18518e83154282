import { findMessageId } from '@selvage/core/mail/find-message-id';
import { joinBytes } from '@selvage/core/share-bytes';
import { HeaderGuard, type HeaderLimits, type HeaderProblem } from '@selvage/core/mail/header-guard';
import type { MemoryShare } from '@selvage/core/memory-budget';

/**
 * The first block of a message holds most messages whole; each next one is twice as large, so that
 * large ones need few.
 */
const firstBlockBytes = 16_384;
const largestBlockBytes = 262_144;

/** How taking in a message went. */
export type Collected =
  | { kind: 'complete'; raw: Buffer }
  | { kind: 'too_large' }
  | { kind: 'bad_header'; problem: HeaderProblem }
  /** The memory for messages is used up, or the share of the sender's network. */
  | { kind: 'no_room' };

/** What a message may have. */
export interface MessageLimits {
  maxMessageBytes: number;
  headerLimits: HeaderLimits;
}

type Failure = Exclude<Collected, { kind: 'complete' }>;

/**
 * The bytes of a message that arrives. They are copied into blocks: kept piece by piece, a message
 * that comes in small pieces would take fifty times its size.
 */
export class MessageBytes {
  private blocks: Buffer[] = [];
  /** Bytes of the last block that are in use. */
  private filled = 0;
  private size = 0;
  private failure: Failure | null = null;
  /** Of a message that could not be taken in, where it stood at its beginning. */
  messageIdHeader: string | null = null;
  private readonly maxBytes: number;
  private readonly header: HeaderGuard;
  private readonly share: MemoryShare | null;

  /**
   * @param open begins the message's share of the budget; the function that it is given ends the
   * message for the sake of others
   */
  constructor(limits: MessageLimits, open: (giveWay: () => void) => MemoryShare | null) {
    this.maxBytes = limits.maxMessageBytes;
    this.header = new HeaderGuard(limits.headerLimits);
    this.share = open(() => this.fail({ kind: 'no_room' }));
    if (!this.share) this.failure = { kind: 'no_room' };
  }

  /** Takes in what came next; what comes after a failure is dropped. */
  add(bytes: Buffer): void {
    if (this.failure) return;
    this.size += bytes.length;
    if (this.size > this.maxBytes) return this.fail({ kind: 'too_large' });
    this.header.add(bytes);
    if (this.header.problem !== null) return this.fail({ kind: 'bad_header', problem: this.header.problem });
    for (let taken = 0; taken < bytes.length; ) {
      const block = this.blockWithRoom();
      if (!block) return this.fail({ kind: 'no_room' });
      const copied = bytes.copy(block, this.filled, taken);
      this.filled += copied;
      taken += copied;
    }
  }

  /** The whole message; its memory counts as held until `release`. */
  async finish(): Promise<Collected> {
    if (this.failure) return this.failure;
    this.share?.arrived();
    const blocks = this.blocks;
    this.blocks = [];
    const last = blocks.pop()?.subarray(0, this.filled);
    return { kind: 'complete', raw: await joinBytes(last ? [...blocks, last] : []) };
  }

  /**
   * Gives the memory back; also when the peer went away in the middle. Harmless when called again.
   */
  release(): void {
    this.share?.release();
    this.blocks = [];
  }

  /** Null when there is no memory left for it. */
  private blockWithRoom(): Buffer | null {
    const last = this.blocks.at(-1);
    if (last && this.filled < last.length) return last;
    const bytes = last ? Math.min(last.length * 2, largestBlockBytes) : firstBlockBytes;
    if (!this.share?.grow(bytes)) return null;
    this.filled = 0;
    const block = Buffer.allocUnsafe(bytes);
    this.blocks.push(block);
    return block;
  }

  private fail(failure: Failure): void {
    this.failure = failure;
    const [first] = this.blocks;
    if (first)
      this.messageIdHeader = findMessageId(first.subarray(0, this.blocks.length === 1 ? this.filled : undefined));
    this.release();
  }
}
