import { findMessageId } from '@selvage/core/mail/find-message-id';
import { joinBytes } from '@selvage/core/share-bytes';
import { HeaderGuard, type HeaderLimits, type HeaderProblem } from '@selvage/core/mail/header-guard';
import type { MemoryShare } from '@selvage/core/memory-budget';

/**
 * Most messages fit into their first block. Each further block is twice as large, up to a limit, so
 * that large messages need few blocks.
 */
const firstBlockBytes = 16_384;
const largestBlockBytes = 262_144;

/** The result of receiving a message. */
export type Collected =
  | { kind: 'complete'; raw: Buffer }
  | { kind: 'too_large' }
  | { kind: 'bad_header'; problem: HeaderProblem }
  /** The memory for messages is used up, or the sender's share of it. */
  | { kind: 'no_room' };

/** The limits of a message. */
export interface MessageLimits {
  maxMessageBytes: number;
  headerLimits: HeaderLimits;
}

type Failure = Exclude<Collected, { kind: 'complete' }>;

/**
 * Collects the bytes of an arriving message and copies them into blocks. If each chunk were kept as
 * it came, a message that arrives in small chunks would take fifty times its size.
 */
export class MessageBytes {
  private blocks: Buffer[] = [];
  /** Bytes of the last block that are in use. */
  private filled = 0;
  private size = 0;
  private failure: Failure | null = null;
  /**
   * The Message-ID of a message that was refused while it arrived; null unless its first block has
   * the field.
   */
  messageIdHeader: string | null = null;
  private readonly maxBytes: number;
  private readonly header: HeaderGuard;
  private readonly share: MemoryShare | null;

  /**
   * @param open opens the message's share of the memory budget. The budget calls the function that
   * it is given to end this message when others need the memory
   */
  constructor(limits: MessageLimits, open: (giveWay: () => void) => MemoryShare | null) {
    this.maxBytes = limits.maxMessageBytes;
    this.header = new HeaderGuard(limits.headerLimits);
    this.share = open(() => this.fail({ kind: 'no_room' }));
    if (!this.share) this.failure = { kind: 'no_room' };
  }

  /** Adds the next bytes of the message. After a failure it drops them. */
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

  /** Returns the whole message. Its memory counts as used until `release`. */
  async finish(): Promise<Collected> {
    if (this.failure) return this.failure;
    this.share?.arrived();
    const blocks = this.blocks;
    this.blocks = [];
    const last = blocks.pop()?.subarray(0, this.filled);
    return { kind: 'complete', raw: await joinBytes(last ? [...blocks, last] : []) };
  }

  /**
   * Gives the memory back, also when the peer disconnected in the middle of the message. A second
   * call does nothing.
   */
  release(): void {
    this.share?.release();
    this.blocks = [];
  }

  /** The block that takes the next byte; null when the budget has no memory for a new block. */
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
