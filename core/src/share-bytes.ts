import { setImmediate } from 'node:timers/promises';

/** What is copied in one turn of the event loop. New memory costs half a millisecond a megabyte. */
const turnBytes = 2_097_152;
/** Up to this size bytes are joined at once, in memory of this thread alone. */
const smallBytes = 262_144;

/** Joins the pieces of a message, a large one without holding the event loop. */
export async function joinBytes(pieces: readonly Buffer[]): Promise<Buffer> {
  return sizeOf(pieces) <= smallBytes ? Buffer.concat(pieces) : await shareBytes(pieces);
}

/**
 * Joins pieces into memory that other threads can read as it is, so that a large message is copied
 * once and not for each piece of work in a thread. No thread may write to it afterwards. Bytes that
 * are in such memory already are returned as they are.
 */
export async function shareBytes(pieces: readonly Buffer[]): Promise<Buffer<SharedArrayBuffer>> {
  const [first] = pieces;
  if (pieces.length === 1 && first && isShared(first)) return first;
  const joined = Buffer.from(new SharedArrayBuffer(sizeOf(pieces)));
  let at = 0;
  let nextTurn = turnBytes;
  for (const piece of pieces) {
    for (let start = 0; start < piece.length; start += turnBytes) {
      if (at >= nextTurn) {
        await setImmediate();
        nextTurn = at + turnBytes;
      }
      at += piece.copy(joined, at, start, start + turnBytes);
    }
  }
  return joined;
}

function sizeOf(pieces: readonly Buffer[]): number {
  return pieces.reduce((sum, piece) => sum + piece.length, 0);
}

function isShared(bytes: Buffer): bytes is Buffer<SharedArrayBuffer> {
  return bytes.buffer instanceof SharedArrayBuffer;
}
