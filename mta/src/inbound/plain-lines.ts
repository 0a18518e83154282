import { findEnvelope } from './smtp-envelope.ts';
import { type HarakaConnection, type HarakaTransaction, takeData } from './haraka.ts';

const lf = 0x0a;
const cr = 0x0d;
const dot = 0x2e;

/**
 * How many bytes at the beginning are plain lines. A plain line ends with CRLF, does not begin with
 * a dot, and has at most `longest` bytes with its CRLF. The first byte must begin a line.
 */
export function plainLength(bytes: Buffer, longest: number): number {
  let length = 0;
  for (let end = bytes.indexOf(lf); end >= 0; end = bytes.indexOf(lf, length)) {
    const isOdd = bytes[length] === dot || end === length || bytes[end - 1] !== cr || end + 1 - length > longest;
    if (isOdd) break;
    length = end + 1;
  }
  return length;
}

/**
 * Gives the collector the plain lines of each chunk at once. Haraka handles DATA line by line, with
 * two objects for each, which takes most of the time of a large message. The first line that is not
 * plain (the final dot, a stuffed dot, a bare LF) is left to Haraka, with all that follows it in
 * the chunk. A line that is longer than `longest` makes the message one that is refused; Haraka
 * would search all of it again with each chunk.
 */
export function takePlainLinesTogether(connection: HarakaConnection, longest: number): void {
  /** The transaction in the middle of such a line. */
  let endless: HarakaTransaction | null = null;
  takeData(connection, (bytes, transaction) => {
    const collector = findEnvelope(transaction)?.collector;
    if (!collector) return 0;
    const begin = endless === transaction ? 0 : plainLength(bytes, longest);
    if (begin > 0) collector.add(bytes.subarray(0, begin));
    const rest = bytes.subarray(begin);
    if (endless !== transaction && !isTooLong(rest, longest)) return begin;
    transaction.notes.data_line_length_exceeded = true;
    endless = rest.includes(lf) ? null : transaction;
    const length = endlessLength(rest);
    collector.add(rest.subarray(0, length));
    return begin + length;
  });
}

/** Whether the first line of the bytes is longer than `longest`, with or without its end. */
function isTooLong(bytes: Buffer, longest: number): boolean {
  return bytes.length > longest && !bytes.subarray(0, longest).includes(lf);
}

/** All but the end of a line: the byte before its LF says whether it ends as it should. */
function endlessLength(bytes: Buffer): number {
  const end = bytes.indexOf(lf);
  return Math.max((end < 0 ? bytes.length : end) - 1, 0);
}
