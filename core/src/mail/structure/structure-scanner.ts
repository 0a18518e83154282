import { type MessagePart, type StructurePart, structureLimits } from './message-structure.ts';
import { findMessageFields, readEnvelope } from './envelope.ts';
import { type Line, LineReader } from './line-reader.ts';
import { findPartFields, type PartFields, readPartFields } from './part-fields.ts';

/** A part whose end has not been reached. */
interface OpenPart {
  part: StructurePart;
  /** Whether it is the root of a message, so that its header has an envelope. */
  isMessage: boolean;
  /** The boundary of a multipart until its closing line; else null. */
  boundary: string | null;
  /** The number of lines before its body. */
  linesBefore: number;
}

const unencoded = /^(?:7bit|8bit|binary)$/;

/**
 * Finds the structure of a message while its bytes arrive, in pieces of any length. It reads each
 * byte once, in linear time. It keeps only one header and the tree in memory.
 *
 * mailparser's splitter gives no positions and keeps embedded messages whole, so this class parses
 * the lines itself. It follows the same rules: a boundary must be the whole line, except for
 * trailing white space (RFC 2046 5.1.1). The beginning of a boundary is no match, nor is a line
 * that begins with one. In addition, the boundaries of all enclosing multiparts count, so that a
 * part without its closing line ends with the part around it.
 */
export class StructureScanner {
  readonly #lines = new LineReader((line) => this.#takeLine(line));
  /** From the root to the innermost part. */
  #open: OpenPart[] = [];
  /**
   * The position of each boundary in the open parts, so that a line costs the same at any depth. If
   * two boundaries are equal, the innermost counts. Null when it must be collected again.
   */
  #levels: Map<string, number> | null = null;
  readonly #root: MessagePart;
  /** Whether the innermost open part is still in its header. */
  #isInHeader = true;
  #partCount = 1;
  /** A bound was exceeded, so the rest is ignored. */
  #isOver = false;

  constructor() {
    this.#root = { ...newPart(0), envelope: {} };
    this.#push(this.#root, true);
  }

  /** Adds the next bytes of the message. */
  add(bytes: Uint8Array): void {
    this.#lines.add(bytes);
  }

  /** The structure, once the whole message was added. */
  finish(): MessagePart {
    this.#lines.finish();
    const size = this.#lines.size;
    if (this.#isOver) return opaqueMessage(this.#root, size);
    this.#closeFrom(0, size);
    return this.#root;
  }

  #takeLine(line: Line): void {
    if (this.#isOver) return;
    if (line.text === '') {
      if (this.#isInHeader) this.#startBody(line.end);
      return;
    }
    const name = line.text.trimEnd().slice(2);
    const levels = (this.#levels ??= this.#collectLevels());
    const whole = levels.get(name) ?? -1;
    const closed = name.endsWith('--') ? (levels.get(name.slice(0, -2)) ?? -1) : -1;
    if (whole >= 0 || closed >= 0) this.#takeBoundary(Math.max(whole, closed), line, closed > whole);
  }

  #collectLevels(): Map<string, number> {
    const levels = new Map<string, number>();
    for (const [level, { boundary }] of this.#open.entries()) if (boundary !== null) levels.set(boundary, level);
    return levels;
  }

  #takeBoundary(level: number, line: Line, isClosing: boolean): void {
    const container = this.#open[level];
    if (container === undefined) return;
    this.#closeFrom(level + 1, this.#endBefore(line.start));
    this.#isInHeader = false;
    this.#levels = null;
    if (isClosing) container.boundary = null;
    else this.#startPart(container.part, line.end);
  }

  /**
   * The line end before a boundary belongs to the boundary, unless it ends a header or is a blank
   * line.
   */
  #endBefore(lineStart: number): number {
    const innermost = this.#open.at(-1);
    if (innermost === undefined || this.#isInHeader) return lineStart;
    return Math.max(lineStart - this.#lines.previousLineEnd, innermost.part.body);
  }

  #startPart(container: StructurePart, at: number): void {
    if (!this.#admitPart()) return;
    const part = newPart(at);
    container.parts?.push(part);
    this.#push(part, false);
  }

  #admitPart(): boolean {
    this.#partCount++;
    if (this.#partCount > structureLimits.parts) this.#isOver = true;
    return !this.#isOver;
  }

  #push(part: StructurePart, isMessage: boolean): void {
    this.#open.push({ part, isMessage, boundary: null, linesBefore: 0 });
    this.#isInHeader = true;
    this.#lines.keepFrom(part.header);
  }

  /** The header of the innermost part has ended. */
  #startBody(at: number): void {
    const open = this.#open.at(-1);
    if (open === undefined) return;
    this.#isInHeader = false;
    this.#readHeader(open, at);
    open.linesBefore = this.#lines.count + 1;
    if (open.part.message) this.#push(open.part.message, true);
  }

  #readHeader(open: OpenPart, end: number): void {
    const { part, isMessage } = open;
    const block = this.#lines.takeKept(end);
    const values = isMessage ? findMessageFields(block) : findPartFields(block);
    const container = isMessage ? undefined : this.#open.at(-2)?.part;
    const { fields, boundary } = readPartFields(values, container?.type === 'multipart/digest');
    Object.assign(part, fields);
    if (isMessage) (part as MessagePart).envelope = readEnvelope(values);
    part.body = end;
    this.#levels = null;
    open.boundary = this.#openContainer(part, fields, { boundary, at: end });
  }

  /** Prepares the part to hold its contents. Returns the boundary of a multipart. */
  #openContainer(
    part: StructurePart,
    { type, encoding }: PartFields,
    { boundary, at }: { boundary: string | null; at: number },
  ): string | null {
    const isMultipart = type.startsWith('multipart/');
    if (!isMultipart && !isMessageType(type)) return null;
    const isReadable = isMultipart ? boundary !== null : encoding === undefined || unencoded.test(encoding);
    const depth = this.#open.filter((open) => !open.isMessage || open.part === this.#root).length;
    if (!isReadable || depth > structureLimits.depth || (!isMultipart && !this.#admitPart())) {
      makeOpaque(part);
      return null;
    }
    if (isMultipart) part.parts = [];
    else part.message = { ...newPart(at), envelope: {} };
    return isMultipart ? boundary : null;
  }

  /** Closes the open parts from this level to the innermost. */
  #closeFrom(level: number, end: number): void {
    if (this.#isInHeader && this.#open.length > level) this.#endInHeader(end);
    for (const { part, linesBefore } of this.#open.splice(level)) {
      part.end = end;
      if (!part.type.startsWith('text/') && !part.message) continue;
      part.lines = part.body === end ? 0 : this.#lines.countBefore(end) - linesBefore;
    }
  }

  /** Ends a part that has no blank line, and so no body. */
  #endInHeader(end: number): void {
    const open = this.#open.at(-1);
    if (open === undefined) return;
    this.#readHeader(open, end);
    if (open.part.message) open.part.message = emptyMessage(end);
  }
}

function newPart(at: number): StructurePart {
  return { type: 'text/plain', header: at, body: at, end: at };
}

function emptyMessage(at: number): MessagePart {
  return { ...newPart(at), parameters: [['charset', 'us-ascii']], lines: 0, envelope: {} };
}

function isMessageType(type: string): boolean {
  return type === 'message/rfc822' || type === 'message/global';
}

/** Marks a part as one whose contents are not known. */
export function makeOpaque(part: StructurePart): void {
  part.type = 'application/octet-stream';
  part.opaque = true;
  delete part.parameters;
  delete part.lines;
  delete part.parts;
  delete part.message;
}

function opaqueMessage(root: MessagePart, end: number): MessagePart {
  makeOpaque(root);
  root.end = end;
  return root;
}
