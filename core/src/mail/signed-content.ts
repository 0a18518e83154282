/*
 * Reads the content of an opaque S/MIME signature (RFC 8551 3.5.2, RFC 5652 5.1 and 5.2):
 *
 *   ContentInfo { signedData, [0] SignedData { version, digests, { type, [0] content }, … } }
 *
 * The signature itself is not checked. Elements may have an indefinite length, as programs that
 * stream write them.
 */

/** An element of BER (X.690 8.1). */
interface Element {
  tag: number;
  /** Where its content begins. */
  start: number;
  end: number;
  /** Where the next element begins. */
  next: number;
}

const tags = { octets: 0x04, name: 0x06, sequence: 0x30, octetsInParts: 0x24, explicit: 0xa0 } as const;
/** 1.2.840.113549.1.7.2 */
const signedData = Buffer.from('2a864886f70d010702', 'hex');
/** Twice the nesting of real signatures. */
const mostDepth = 16;
/** Streamed content has one element for each kilobyte or so. */
const mostChildren = 100_000;

/** The bytes are not well-formed. */
class Damaged extends Error {}

/** Whether a file may be such a signature, by its type or its usual name. */
export function isSealed(contentType: string, filename: string): boolean {
  if (/^application\/(?:x-)?pkcs7-mime$/.test(contentType)) return !/\.p7[cs]$/i.test(filename);
  return contentType === 'application/octet-stream' && /^smime\.p7m$/i.test(filename);
}

/** The MIME entity that was signed; null when there is none, as in an encrypted message. */
export function signedContent(file: Buffer): Buffer | null {
  try {
    const [type, content] = childrenOf(file, readElement(file, 0, 0));
    if (type?.tag !== tags.name || !file.subarray(type.start, type.end).equals(signedData)) return null;
    const [signed] = childrenOf(file, content);
    const [, , wrapped] = childrenOf(file, signed);
    const [, explicit] = childrenOf(file, wrapped);
    if (explicit?.tag !== tags.explicit) return null;
    const [octets] = childrenOf(file, explicit);
    return octets ? Buffer.concat(octetsOf(file, octets, 0)) : null;
  } catch (error) {
    if (!(error instanceof Damaged)) throw error;
    return null;
  }
}

function octetsOf(file: Buffer, element: Element, depth: number): Buffer[] {
  if (element.tag === tags.octets) return [file.subarray(element.start, element.end)];
  if (element.tag !== tags.octetsInParts || depth === mostDepth) throw new Damaged();
  return childrenOf(file, element).flatMap((part) => octetsOf(file, part, depth + 1));
}

function childrenOf(file: Buffer, element: Element | undefined): Element[] {
  const isComposed = element && (element.tag & 0x20) !== 0;
  if (!isComposed) throw new Damaged();
  const children: Element[] = [];
  for (let at = element.start; at < element.end; ) {
    const child = readElement(file, at, 0);
    if (child.next > element.end || children.length === mostChildren) throw new Damaged();
    children.push(child);
    at = child.next;
  }
  return children;
}

function readElement(file: Buffer, at: number, depth: number): Element {
  const [tag, first] = [file[at], file[at + 1]];
  // No element of a signature has a tag of several bytes
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) throw new Damaged();
  if (first === 0x80) return readOpen(file, { tag, at: at + 2, depth });
  const more = first < 0x80 ? 0 : first & 0x7f;
  if (more > 4 || at + 2 + more > file.length) throw new Damaged();
  const start = at + 2 + more;
  const end = start + (more === 0 ? first : file.readUIntBE(at + 2, more));
  if (end > file.length) throw new Damaged();
  return { tag, start, end, next: end };
}

/** Reads an element of indefinite length, whose content ends with two zero bytes. */
function readOpen(file: Buffer, { tag, at, depth }: { tag: number; at: number; depth: number }): Element {
  if (depth === mostDepth || (tag & 0x20) === 0) throw new Damaged();
  let end = at;
  while (file[end] !== 0 || file[end + 1] !== 0) end = readElement(file, end, depth + 1).next;
  return { tag, start: at, end, next: end + 2 };
}
