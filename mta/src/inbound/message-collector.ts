/** Bytes of all messages that are in memory at the moment, of every connection. */
let held = 0;

/** As much as all messages together may take; beyond it senders are asked to come again. */
export const memoryBudget = 256 * 1024 * 1024;

/** How taking in a message went. */
export type Collected =
  | { kind: 'complete'; raw: Buffer }
  | { kind: 'too_large' }
  /** The budget of all connections is used up. */
  | { kind: 'no_room' };

/**
 * Takes in the lines of one DATA, byte for byte and without the dot stuffing. Haraka's own stream rebuilds the header from what it
 * parsed of it, which breaks signatures, and costs more than everything else together.
 */
export class MessageCollector {
  private lines: Buffer[] = [];
  private size = 0;
  private failure: 'too_large' | 'no_room' | null = null;
  private readonly maxBytes: number;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  /** One line with its CRLF as it came. */
  add(line: Buffer): void {
    if (this.failure) return;
    // RFC 5321 4.5.2
    const text = line[0] === 0x2e ? line.subarray(1) : line;
    this.size += text.length;
    held += text.length;
    if (this.size > this.maxBytes) this.fail('too_large');
    else if (held > memoryBudget) this.fail('no_room');
    else this.lines.push(text);
  }

  /** The whole message; its memory counts as held until `release`. */
  finish(): Collected {
    if (this.failure) return { kind: this.failure };
    const raw = Buffer.concat(this.lines, this.size);
    this.lines = [];
    return { kind: 'complete', raw };
  }

  /** Gives the memory back; also when the peer went away in the middle. Harmless when called again. */
  release(): void {
    held -= this.size;
    this.size = 0;
    this.lines = [];
  }

  private fail(failure: 'too_large' | 'no_room'): void {
    this.failure = failure;
    this.release();
  }
}
