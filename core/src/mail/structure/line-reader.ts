import { structureLimits } from './message-structure.ts';

/** A line that may matter: a blank one that ends a header, or one that begins with two dashes. */
export interface Line {
  start: number;
  /** The position after its line end. */
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
 * ends with LF, or with CR and LF. If a line spans several pieces, only its beginning is kept, so
 * this takes linear time and little memory.
 */
export class LineReader {
  /** The number of line ends before the present line. */
  count = 0;
  /** The number of bytes of the line end before the present line. */
  previousLineEnd = 0;
  readonly #take: (line: Line) => void;
  /** The piece that is being read, and its offset. */
  #chunk: Buffer = nothing;
  #chunkAt = 0;
  #lineAt = 0;
  /** The beginning of the present line, from earlier pieces. */
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

  /** Adds the next bytes. The caller may reuse their memory afterwards. */
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

  /** Call it once all bytes were added. Bytes after the last line end are a line, too. */
  finish(): void {
    if (this.#lineAt === this.size) return;
    this.#offer(this.#begun, this.size, 0);
  }

  /** Starts to keep the bytes from an offset on, which must be the end of the present line. */
  keepFrom(offset: number): void {
    this.#keptAt = offset;
    this.#kept = [];
  }

  /** Returns the bytes that were kept up to an offset, as binary text, and stops keeping more. */
  takeKept(end: number): string {
    this.#keep(end);
    const text = (this.#kept ?? []).join('');
    this.#kept = null;
    return text.slice(0, Math.max(end - this.#keptAt, 0));
  }

  /**
   * The number of line ends before an offset, which must be the start of the present line, or the
   * start of the line end before it.
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

  /**
   * Whether a line may matter. Most lines don't, and are read no further. A blank line only ends a
   * header.
   */
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
    // The earlier bytes are kept already, so beyond the bound only bytes at the end are missing
    if (this.#kept === null || end <= from || from - this.#keptAt >= structureLimits.headerBytes) return;
    this.#kept.push(this.#chunk.toString('latin1', from - this.#chunkAt, end - this.#chunkAt));
  }
}
