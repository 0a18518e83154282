import { HeaderGuard, type HeaderLimits, type HeaderProblem } from '@selvage/core/mail/header-guard';

/** Bytes that the messages of all connections hold in memory now. */
let held = 0;

/** Limit for all messages together. Beyond it, senders are asked to try again later. */
const memoryBudget = 256 * 1024 * 1024;

/**
 * Most messages fit into their first block. Each further block is twice as large, so that large
 * messages need few.
 */
const firstBlockBytes = 16_384;
const largestBlockBytes = 262_144;

/** The outcome of collecting a message. */
export type Collected =
  | { kind: 'complete'; raw: Buffer }
  | { kind: 'too_large' }
  | { kind: 'bad_header'; problem: HeaderProblem }
  /** The budget of all connections is used up. */
  | { kind: 'no_room' };

/** What a message may take. */
export interface CollectorLimits {
  maxBytes: number;
  header: HeaderLimits;
  /** Of all messages together. */
  budget?: number;
}

/**
 * Collects the lines of one DATA byte for byte, without the dot stuffing. Haraka's own stream
 * rebuilds the header from what it parsed, which breaks signatures, and takes more time than all
 * other steps together.
 *
 * Lines are copied into blocks. Kept one by one, the lines of a message of empty lines would take
 * fifty times its size.
 */
export class MessageCollector {
  private blocks: Buffer[] = [];
  /** Bytes of the last block that are in use. */
  private filled = 0;
  private size = 0;
  private allocated = 0;
  private failure: Exclude<Collected, { kind: 'complete' }> | null = null;
  private readonly header: HeaderGuard;
  private readonly maxBytes: number;
  private readonly budget: number;

  constructor(limits: CollectorLimits) {
    this.maxBytes = limits.maxBytes;
    this.budget = limits.budget ?? memoryBudget;
    this.header = new HeaderGuard(limits.header);
  }

  /** Adds one line with its CRLF, as it came, or several plain lines (`plainLength`) at once. */
  add(line: Buffer): void {
    if (this.failure) return;
    // RFC 5321 4.5.2
    const text = line[0] === 0x2e ? line.subarray(1) : line;
    this.size += text.length;
    if (this.size > this.maxBytes) return this.fail({ kind: 'too_large' });
    this.header.add(text);
    if (this.header.problem) return this.fail({ kind: 'bad_header', problem: this.header.problem });
    for (let taken = 0; taken < text.length; ) {
      const block = this.blockWithRoom();
      if (!block) return this.fail({ kind: 'no_room' });
      const copied = text.copy(block, this.filled, taken);
      this.filled += copied;
      taken += copied;
    }
  }

  /** Returns the whole message. Its memory counts as held until `release`. */
  finish(): Collected {
    if (this.failure) return this.failure;
    const raw = Buffer.concat(this.blocks, this.size);
    this.blocks = [];
    return { kind: 'complete', raw };
  }

  /** Gives the memory back. A second call does nothing. */
  release(): void {
    held -= this.allocated;
    this.allocated = 0;
    this.blocks = [];
  }

  /** Null when the budget is used up. */
  private blockWithRoom(): Buffer | null {
    const last = this.blocks.at(-1);
    if (last && this.filled < last.length) return last;
    const bytes = last ? Math.min(last.length * 2, largestBlockBytes) : firstBlockBytes;
    if (held + bytes > this.budget) return null;
    held += bytes;
    this.allocated += bytes;
    this.filled = 0;
    const block = Buffer.allocUnsafe(bytes);
    this.blocks.push(block);
    return block;
  }

  private fail(failure: Exclude<Collected, { kind: 'complete' }>): void {
    this.failure = failure;
    this.release();
  }
}
