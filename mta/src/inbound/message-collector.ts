import type { MemoryShare } from '@selvage/core/memory-budget';
import { type Collected, MessageBytes, type MessageLimits } from '../message-bytes.ts';

/**
 * Collects the lines of one DATA byte for byte, without the dot stuffing. Haraka's own stream
 * rebuilds the header from what it parsed, which breaks signatures, and takes more time than all
 * other steps together.
 */
export class MessageCollector {
  private readonly bytes: MessageBytes;
  private hasFinished = false;

  constructor(limits: MessageLimits, open: (giveWay: () => void) => MemoryShare | null) {
    this.bytes = new MessageBytes(limits, open);
  }

  /** Adds one line with its CRLF, as it came. */
  addLine(line: Buffer): void {
    // RFC 5321 4.5.2
    this.addUnstuffed(line[0] === 0x2e ? line.subarray(1) : line);
  }

  /** Adds bytes that have no stuffed dots. */
  addUnstuffed(bytes: Buffer): void {
    this.bytes.add(bytes);
  }

  /** Returns the whole message. Its memory counts as held until `release`. */
  async finish(): Promise<Collected> {
    this.hasFinished = true;
    return await this.bytes.finish();
  }

  /** True once the whole message has come. */
  get isFinished(): boolean {
    return this.hasFinished;
  }

  /**
   * The Message-ID of a message that was refused while it arrived; null unless its first bytes have
   * the field.
   */
  get messageIdHeader(): string | null {
    return this.bytes.messageIdHeader;
  }

  /**
   * Gives the memory back when the peer has disconnected. A complete message is still being decided
   * about, so it keeps its memory until `release`.
   */
  drop(): void {
    if (!this.hasFinished) this.release();
  }

  /** Gives the memory back. A second call does nothing. */
  release(): void {
    this.bytes.release();
  }
}
