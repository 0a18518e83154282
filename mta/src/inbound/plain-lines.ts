import { findEnvelope } from './smtp-envelope.ts';
import { type HarakaConnection, takeData } from './haraka.ts';

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
 * plain (the final dot, a stuffed dot, a bare LF, an overlong line) is left to Haraka, with all
 * that follows it in the chunk.
 */
export function takePlainLinesTogether(connection: HarakaConnection, longest: number): void {
  takeData(connection, (bytes, transaction) => {
    const collector = findEnvelope(transaction)?.collector;
    const length = collector ? plainLength(bytes, longest) : 0;
    if (length > 0) collector?.add(bytes.subarray(0, length));
    return length;
  });
}
