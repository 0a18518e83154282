import { findEnvelope } from './envelope.ts';
import { connectionStates, type HarakaConnection } from './haraka.ts';

const lf = 0x0a;
const cr = 0x0d;
const dot = 0x2e;

/**
 * How many bytes at the beginning are whole lines that mean nothing but themselves: each ends with CRLF, begins with no dot and is no longer
 * than `longest`. The bytes must begin at the beginning of a line.
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
 * Haraka handles DATA line by line, with two objects for each; most of the time of a large message goes there. Here the plain lines of what has
 * come are taken together. The first line that is not plain (the end, a stuffed dot, a bare LF, an endless line), and what came with it, are
 * left to Haraka.
 */
export function takePlainLinesTogether(connection: HarakaConnection, longest: number): void {
  const processData = connection._process_data.bind(connection);
  connection._process_data = () => {
    const { current_data: bytes, transaction, state } = connection;
    const collector = state === connectionStates.data ? findEnvelope(transaction)?.collector : null;
    if (bytes && transaction && collector) {
      const length = plainLength(bytes, longest);
      if (length > 0) {
        collector.add(bytes.subarray(0, length));
        transaction.data_bytes += length;
        connection.current_data = bytes.subarray(length);
      }
    }
    processData();
  };
}
