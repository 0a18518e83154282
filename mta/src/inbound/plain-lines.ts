import { findEnvelope } from './smtp-envelope.ts';
import { type HarakaConnection, type HarakaTransaction, takeData } from './haraka.ts';
import type { MessageCollector } from './message-collector.ts';

const lf = 0x0a;
const cr = 0x0d;
const dot = 0x2e;

/** The plain lines at the beginning of a chunk. */
interface PlainLines {
  /** Their length in bytes as they came, with the dots that the sender stuffed. */
  length: number;
  /** The lines without the dots that the sender stuffed (RFC 5321 4.5.2). */
  unstuffed: Buffer;
}

/**
 * Finds the plain lines at the beginning. A plain line ends with CRLF, is not the final dot, and
 * has at most `longest` bytes with its CRLF. The first byte must begin a line.
 */
export function findPlainLines(bytes: Buffer, longest: number): PlainLines {
  const dots: number[] = [];
  let length = 0;
  for (let end = bytes.indexOf(lf); end >= 0; end = bytes.indexOf(lf, length)) {
    const hasDot = bytes[length] === dot;
    const isOdd = end === length || bytes[end - 1] !== cr || end + 1 - length > longest;
    if (isOdd || (hasDot && end === length + 2)) break;
    if (hasDot) dots.push(length);
    length = end + 1;
  }
  return { length, unstuffed: withoutBytes(bytes.subarray(0, length), dots) };
}

/** Removes the bytes at some positions, which have to ascend. */
function withoutBytes(bytes: Buffer, positions: readonly number[]): Buffer {
  if (positions.length === 0) return bytes;
  const rest = Buffer.allocUnsafe(bytes.length - positions.length);
  let filled = 0;
  let begin = 0;
  for (const position of positions) {
    filled += bytes.copy(rest, filled, begin, position);
    begin = position + 1;
  }
  bytes.copy(rest, filled, begin);
  return rest;
}

/**
 * Passes the plain lines of each chunk to the collector at once, within what is drawn at
 * `hook_connect` in `haraka/plugins/connections/index.ts`. Haraka would handle DATA line by
 * line, with two objects for each line, which takes most of the time of a large message. Haraka
 * gets the first line that is not plain (the final dot, a bare LF) and all that follows it in the
 * chunk. A message with a line longer than `longest` is refused. Only the end of such a line is
 * kept: Haraka would search all of the line again with each chunk, and the line would take memory.
 */
export function takePlainLinesTogether(connection: HarakaConnection, longest: number): void {
  /** The transaction that is in the middle of such a line; null when none is. */
  let endless: HarakaTransaction | null = null;
  takeData(connection, (bytes, transaction) => {
    const collector = findEnvelope(transaction)?.collector;
    if (!collector) return 0;
    const begin = endless === transaction ? 0 : takePlainLines(collector, bytes, longest);
    const rest = bytes.subarray(begin);
    if (endless !== transaction && !isTooLong(rest, longest)) return begin;
    transaction.notes.data_line_length_exceeded = true;
    endless = rest.includes(lf) ? null : transaction;
    return begin + endlessLength(rest);
  });
}

/** @returns how many bytes were taken */
function takePlainLines(collector: MessageCollector, bytes: Buffer, longest: number): number {
  const { length, unstuffed } = findPlainLines(bytes, longest);
  if (length > 0) collector.addUnstuffed(unstuffed);
  return length;
}

/** Whether the first line of the bytes is longer than `longest`, with or without its end. */
function isTooLong(bytes: Buffer, longest: number): boolean {
  return bytes.length > longest && !bytes.subarray(0, longest).includes(lf);
}

/**
 * How many bytes of such a line to drop: all but the last byte before its LF, which shows whether
 * the line ends with CRLF.
 */
function endlessLength(bytes: Buffer): number {
  const end = bytes.indexOf(lf);
  return Math.max((end < 0 ? bytes.length : end) - 1, 0);
}
