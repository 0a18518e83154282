import type { MemoryShare } from '@selvage/core/memory-budget';
import { type Collected, MessageBytes } from '../message-bytes.ts';

/**
 * Takes in the lines of one DATA, byte for byte and without the dot stuffing. Haraka's own stream rebuilds the header from what it
 * parsed of it, which breaks signatures, and costs more than everything else together.
 */
export class MessageCollector {
  private readonly bytes: MessageBytes;

  constructor(maxBytes: number, open: (giveWay: () => void) => MemoryShare | null) {
    this.bytes = new MessageBytes(maxBytes, open);
  }

  /** One line with its CRLF as it came. */
  add(line: Buffer): void {
    // RFC 5321 4.5.2
    this.bytes.add(line[0] === 0x2e ? line.subarray(1) : line);
  }

  /** The whole message; its memory counts as held until `release`. */
  finish(): Collected {
    return this.bytes.finish();
  }

  /** Gives the memory back; also when the peer went away in the middle. Harmless when called again. */
  release(): void {
    this.bytes.release();
  }
}
