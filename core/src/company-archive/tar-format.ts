/*
 * The part of tar that an archive has (POSIX.1-2017 pax, ustar): plain files, whose names are short
 * enough for their header. Any tar program unpacks it. It has no compression, so it can't hold more
 * than its own size.
 */

/** Bytes of a header. The content of a file is padded to a multiple of them. */
export const blockBytes = 512;

/** What an archive ends with. */
export const endOfTar = Buffer.alloc(2 * blockBytes);

/** A file in an archive, as its header says. */
export interface TarHeader {
  name: string;
  size: number;
}

const nameBytes = 100;
const prefixBytes = 155;
/** The largest size that 11 octal digits hold. */
const largestSize = 8 ** 11 - 1;

/** How many zero bytes pad a content. */
export function fillOf(size: number): number {
  return (blockBytes - (size % blockBytes)) % blockBytes;
}

/** The header of a file. Names are ASCII. */
export function writeHeader({ name, size }: TarHeader, when: Date): Buffer {
  if (size > largestSize) throw new Error('a file of an archive is too large');
  const [prefix, rest] = splitName(name);
  const header = Buffer.alloc(blockBytes);
  header.write(rest, 0, 'latin1');
  header.write('0000600\0', 100, 'latin1');
  header.write('0000000\0', 108, 'latin1');
  header.write('0000000\0', 116, 'latin1');
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124, 'latin1');
  const seconds = Math.max(Math.floor(when.getTime() / 1000), 0);
  header.write(`${seconds.toString(8).padStart(11, '0')}\0`, 136, 'latin1');
  header.write('0', 156, 'latin1');
  header.write('ustar\x0000', 257, 'latin1');
  header.write(prefix, 345, 'latin1');
  header.write(`${sumOf(header).toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return header;
}

function splitName(name: string): [string, string] {
  if (name.length <= nameBytes) return ['', name];
  for (let slash = name.indexOf('/'); slash > 0; slash = name.indexOf('/', slash + 1)) {
    if (slash <= prefixBytes && name.length - slash - 1 <= nameBytes)
      return [name.slice(0, slash), name.slice(slash + 1)];
  }
  throw new Error('a name is too long for an archive');
}

/** The sum of the bytes of a header, its own field counted as spaces. */
function sumOf(header: Buffer): number {
  let sum = 0;
  for (let at = 0; at < blockBytes; at += 1) sum += at >= 148 && at < 156 ? 32 : (header[at] ?? 0);
  return sum;
}

/**
 * Reads a header.
 * @returns null for the zeros at the end; `damaged` for what is no header of a plain file
 */
export function readHeader(block: Buffer): TarHeader | null | 'damaged' {
  if (block.length < blockBytes) return 'damaged';
  if (block.every((byte) => byte === 0)) return null;
  const size = octalOf(block, 124, 12);
  const isPlain = block.toString('latin1', 156, 157) === '0' && block.toString('latin1', 257, 262) === 'ustar';
  if (!isPlain || size === null || octalOf(block, 148, 8) !== sumOf(block)) return 'damaged';
  const prefix = textOf(block, 345, prefixBytes);
  const name = textOf(block, 0, nameBytes);
  return { name: prefix === '' ? name : `${prefix}/${name}`, size };
}

function textOf(block: Buffer, at: number, length: number): string {
  return block.toString('latin1', at, at + length).replace(/\0.*$/s, '');
}

function octalOf(block: Buffer, at: number, length: number): number | null {
  const text = block.toString('latin1', at, at + length).replace(/[\0 ]+$/, '');
  return /^[0-7]{1,11}$/.test(text) ? Number.parseInt(text, 8) : null;
}
