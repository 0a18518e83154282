import { createRequire } from 'node:module';
import { assertLibrary } from '../assert-library.ts';

/*
 * mailauth looks for the end of a message's header byte by byte, and makes two arrays for each of
 * them. For a header of 4 KB that takes longer than all of its checks of an unsigned message. Most
 * often the first bytes it gets contain the whole header, and then a search finds the end.
 */

/** The members of mailauth's reader of messages that are called or replaced. */
interface MessageParser {
  state: 'header' | 'body';
  headerBytes: number;
  /** Takes the last bytes of the header, and reads its fields. */
  emitHeaders(last: Buffer): Promise<void>;
  /** Takes bytes of the body. */
  nextChunk(bytes: Buffer): Promise<void>;
  processChunk(bytes: Buffer): Promise<void>;
}

const { MessageParser: parser } = createRequire(import.meta.url)('mailauth/lib/dkim/message-parser.js') as {
  MessageParser: { prototype: MessageParser };
};

assertLibrary({
  name: 'mailauth',
  version: '7.1.0',
  from: import.meta.url,
  members: {
    emitHeaders: typeof parser.prototype.emitHeaders === 'function',
    nextChunk: typeof parser.prototype.nextChunk === 'function',
    processChunk: typeof parser.prototype.processChunk === 'function',
  },
});

const lf = 0x0a;
const cr = 0x0d;

/**
 * The position after the empty line that ends a header, or after a first line that is empty (RFC
 * 5322 2.1). -1 when there is none.
 */
export function findHeaderEnd(bytes: Buffer): number {
  if (bytes[0] === lf) return 1;
  if (bytes[0] === cr && bytes[1] === lf) return 2;
  for (let at = bytes.indexOf(lf); at >= 0; at = bytes.indexOf(lf, at + 1)) {
    if (bytes[at + 1] === lf) return at + 2;
    if (bytes[at + 1] === cr && bytes[at + 2] === lf) return at + 3;
  }
  return -1;
}

/** Has mailauth find the end of a header that comes in one piece by a search. */
export function searchForHeaderEnd(): void {
  const process = parser.prototype.processChunk;
  parser.prototype.processChunk = async function processChunk(this: MessageParser, bytes) {
    const isFirst = this.state === 'header' && this.headerBytes === 0;
    const end = isFirst && bytes ? findHeaderEnd(bytes) : -1;
    if (end < 0) return await process.call(this, bytes);
    await this.emitHeaders(bytes.subarray(0, end));
    if (end < bytes.length) await this.nextChunk(bytes.subarray(end));
  };
}
