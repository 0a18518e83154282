/** The fields of mailsplit's parts that are used here. */
export interface SplitNode {
  /** The boundary of the multipart around it. */
  _parentBoundary: Buffer | false;
  /** The part of that multipart. */
  _parentBoundaryOwner: SplitNode | false;
}

/** The members of mailsplit's splitter that are used here. */
export interface Splitter {
  /** The part that the present line belongs to. */
  node: SplitNode;
  compareBoundary(line: Buffer, start: number, boundary: Buffer): 1 | 2 | false;
  checkBoundary(line: Buffer): 1 | 2 | 3 | 4 | false;
}

/**
 * Makes a splitter recognise boundary lines of RFC 2046 that mailsplit misses: those with white
 * space at their end, and those of all enclosing multiparts instead of the nearest one alone.
 */
export function correctBoundaries(splitter: Splitter): void {
  const compare = splitter.compareBoundary.bind(splitter);
  // RFC 2046 5.1.1: white space may follow a boundary, and does not belong to it
  splitter.compareBoundary = (line, start, boundary) => compare(unpadded(line), start, unpadded(boundary));
  const check = splitter.checkBoundary.bind(splitter);
  const outer = new OuterBoundaries();
  splitter.checkBoundary = (line) => {
    const { node } = splitter;
    const found = check(line);
    const ending = found ? null : outer.find(line, node);
    if (!ending) return found;
    // RFC 2046 5.1.2: if inner parts are not closed, they end together with the outer one
    splitter.node = ending;
    const foundOutside = check(line);
    if (!foundOutside) splitter.node = node;
    return foundOutside;
  };
}

/**
 * Finds the enclosing multipart to which a boundary line belongs, except for the nearest one. The
 * boundaries are indexed by name, so that a line costs the same at any depth.
 */
class OuterBoundaries {
  #innermost: SplitNode | null = null;
  readonly #parts = new Map<string, SplitNode>();

  /** @returns the part directly within that multipart */
  find(line: Buffer, innermost: SplitNode): SplitNode | null {
    const start = line[0] === cr && line[1] === lf ? 2 : Number(isLineEnd(line[0]));
    if (line[start] !== dash || line[start + 1] !== dash) return null;
    if (innermost !== this.#innermost) this.#collect(innermost);
    if (this.#parts.size === 0) return null;
    const name = line.toString('latin1', start + 2, endOfWords(line));
    return this.#parts.get(name) ?? (name.endsWith('--') ? this.#parts.get(name.slice(0, -2)) : undefined) ?? null;
  }

  #collect(innermost: SplitNode): void {
    this.#innermost = innermost;
    this.#parts.clear();
    let part = innermost._parentBoundaryOwner;
    while (part && part._parentBoundary) {
      const name = part._parentBoundary.toString('latin1', 0, endOfWords(part._parentBoundary));
      if (!this.#parts.has(name)) this.#parts.set(name, part);
      part = part._parentBoundaryOwner;
    }
  }
}

const cr = 0x0d;
const lf = 0x0a;
const dash = 0x2d;
const isLineEnd = (byte: number | undefined): boolean => byte === cr || byte === lf;
const isPadding = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x09;

/** A line, or a boundary, without the white space before its line end. */
function unpadded(line: Buffer): Buffer {
  const end = endOfLine(line);
  const words = endOfWords(line);
  return words === end ? line : Buffer.concat([line.subarray(0, words), line.subarray(end)]);
}

function endOfWords(line: Buffer): number {
  let end = endOfLine(line);
  while (end > 0 && isPadding(line[end - 1])) end--;
  return end;
}

function endOfLine(line: Buffer): number {
  let end = line.length;
  while (end > 0 && isLineEnd(line[end - 1])) end--;
  return end;
}
