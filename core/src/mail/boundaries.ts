/** A part as mailsplit knows it. */
export interface SplitNode {
  /** The boundary of the multipart around it. */
  _parentBoundary: Buffer | false;
  /** That multipart. */
  _parentBoundaryOwner: SplitNode | false;
}

/** What is used here of mailsplit. */
export interface Splitter {
  /** The part that the present line belongs to. */
  node: SplitNode;
  compareBoundary(line: Buffer, start: number, boundary: Buffer): 1 | 2 | false;
  checkBoundary(line: Buffer): 1 | 2 | 3 | 4 | false;
}

/**
 * Makes a splitter know the boundary lines that RFC 2046 has and mailsplit hasn't: with white space
 * at their end, and those of every multipart around a part, not of the nearest one alone.
 */
export function correctBoundaries(splitter: Splitter): void {
  const compare = splitter.compareBoundary.bind(splitter);
  // RFC 2046 5.1.1: white space may follow a boundary, and is no part of it
  splitter.compareBoundary = (line, start, boundary) => compare(unpadded(line), start, unpadded(boundary));
  const check = splitter.checkBoundary.bind(splitter);
  const outer = new OuterBoundaries();
  splitter.checkBoundary = (line) => {
    const { node } = splitter;
    const found = check(line);
    const ending = found ? null : outer.find(line, node);
    if (!ending) return found;
    // RFC 2046 5.1.2: where the parts within it are not closed, they end with it
    splitter.node = ending;
    const foundOutside = check(line);
    if (!foundOutside) splitter.node = node;
    return foundOutside;
  };
}

/**
 * Finds the multipart that a line ends a part of, beyond the one around the present part. The
 * boundaries are kept by their names, so that a line costs the same at any depth.
 */
class OuterBoundaries {
  #innermost: SplitNode | null = null;
  readonly #parts = new Map<string, SplitNode>();

  /** @returns the part that stands right within that multipart */
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

/** A line, or a boundary, without the white space before its end. */
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
