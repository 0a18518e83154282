import { structureLimits } from './message-structure.ts';

/** A line of interest: a blank one that ends a header, or one that begins with two dashes. */
export interface Line {
  start: number;
  /** After its line end. */
  end: number;
  /** As binary text, without its line end. */
  text: string;
}

const cr = 0x0d;
const lf = 0x0a;
const dash = 0x2d;
/** A boundary has 70 characters at most (RFC 2046 5.1.1); some programs write longer ones. */
const longestBoundaryLine = 1000;
const nothing: Buffer = Buffer.alloc(0);

/**
 * Cuts bytes that arrive in pieces of any length into lines, and keeps a header as text. A line
 * ends with LF, or with CR and LF. Of a line that goes over several pieces only the beginning is
 * kept, so this takes linear time and little memory.
 */
export class LineReader {
  /** Line ends before the present line. */
  count = 0;
  /** Bytes of the line end before the present line. */
  previousLineEnd = 0;
  readonly #take: (line: Line) => void;
  /** The piece that is being read, and its offset. */
  #chunk: Buffer = nothing;
  #chunkAt = 0;
  #lineAt = 0;
  /** The beginning of the present line in the pieces before. */
  #begun: Buffer = nothing;
  #lastByte = 0;
  #keptAt = 0;
  #kept: string[] | null = null;

  constructor(take: (line: Line) => void) {
    this.#take = take;
  }

  /** The number of bytes that were added. */
  get size(): number {
    return this.#chunkAt + this.#chunk.length;
  }

  /** The next bytes. They may be used again afterwards. */
  add(bytes: Uint8Array): void {
    this.#chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const chunk = this.#chunk;
    let start = 0;
    for (let at = chunk.indexOf(lf); at >= 0; at = chunk.indexOf(lf, start)) {
      this.#endLine(start, at + 1);
      start = at + 1;
    }
    this.#leaveChunk(start);
  }

  /** All bytes were added. What stands after the last line end is a line too. */
  finish(): void {
    if (this.#lineAt === this.size) return;
    this.#offer(this.#begun, this.size, 0);
  }

  /** Starts to keep what follows an offset, which is the end of the present line. */
  keepFrom(offset: number): void {
    this.#keptAt = offset;
    this.#kept = [];
  }

  /** What was kept up to an offset, as binary text. Nothing more is kept. */
  takeKept(end: number): string {
    this.#keep(end);
    const text = (this.#kept ?? []).join('');
    this.#kept = null;
    return text.slice(0, Math.max(end - this.#keptAt, 0));
  }

  /**
   * Line ends before an offset, which is the start of the present line, or where the line end
   * before it begins.
   */
  countBefore(offset: number): number {
    return offset < this.#lineAt ? this.count - 1 : this.count;
  }

  #endLine(start: number, end: number): void {
    const chunk = this.#chunk;
    const lineEnd = (end > 1 ? chunk[end - 2] : this.#lastByte) === cr ? 2 : 1;
    const absoluteEnd = this.#chunkAt + end;
    if (this.#begun.length === 0) {
      if (this.#isOfInterest(chunk, start, end - start - lineEnd)) {
        this.#offer(chunk.subarray(start, end), absoluteEnd, lineEnd);
      }
    } else if (absoluteEnd - this.#lineAt <= longestBoundaryLine) {
      this.#offer(Buffer.concat([this.#begun, chunk.subarray(0, end)]), absoluteEnd, lineEnd);
    }
    this.#begun = nothing;
    this.#lineAt = absoluteEnd;
    this.previousLineEnd = lineEnd;
    this.count++;
  }

  /** Most lines are not, and are looked at no further. A blank line only ends a header. */
  #isOfInterest(bytes: Buffer, start: number, length: number): boolean {
    return length === 0 ? this.#kept !== null : bytes[start] === dash && bytes[start + 1] === dash;
  }

  #offer(line: Buffer, end: number, lineEnd: number): void {
    const length = end - this.#lineAt - lineEnd;
    if (length > longestBoundaryLine || !this.#isOfInterest(line, 0, length)) return;
    this.#take({ start: this.#lineAt, end, text: line.toString('latin1', 0, length) });
  }

  #leaveChunk(start: number): void {
    const chunk = this.#chunk;
    this.#keep(this.size);
    const room = longestBoundaryLine - this.#begun.length;
    if (room > 0 && start < chunk.length) {
      this.#begun = Buffer.concat([this.#begun, chunk.subarray(start, start + room)]);
    }
    this.#lastByte = chunk.at(-1) ?? this.#lastByte;
    this.#chunkAt = this.size;
    this.#chunk = nothing;
  }

  #keep(end: number): void {
    const from = Math.max(this.#keptAt, this.#chunkAt);
    // The bytes before are there already, so what is over the bound is missing at the end alone
    if (this.#kept === null || end <= from || from - this.#keptAt >= structureLimits.headerBytes) return;
    this.#kept.push(this.#chunk.toString('latin1', from - this.#chunkAt, end - this.#chunkAt));
  }
}
