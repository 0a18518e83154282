import type { IncomingMessage } from 'node:http';
import { badRequest, tooLarge, unsupportedMedia } from '@selvage/core/errors';
import { endTurn, takeTurnAgain } from './request-turns.ts';

/**
 * The most commas, colons and opening brackets outside of strings. Each of them stands for a value,
 * and a value takes the parser longer than a byte of text: 20 MB of values block the event loop for
 * two seconds, 20 MB of text for a few milliseconds. The largest real call has some thousands.
 */
const mostSigns = 50_000;
/**
 * The most lists and objects within each other. Functions that walk a value call themselves for
 * each of them, and some thousands overflow the stack. No call needs ten.
 */
const mostDepth = 32;

const quote = 0x22;
const backslash = 0x5c;
const [comma, colon] = [0x2c, 0x3a] as const;
const [openList, openObject, endList, endObject] = [0x5b, 0x7b, 0x5d, 0x7d] as const;

/** Counts the values of a JSON text while it arrives, in pieces of any length. */
class ValueCounter {
  signs = 0;
  /** How many lists and objects were open within each other at most. */
  deepest = 0;
  #depth = 0;
  #isInText = false;
  #isEscaped = false;

  add(piece: Uint8Array): void {
    for (const byte of piece) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === quote) this.#isInText = !this.#isInText;
      else if (this.#isInText) this.#isEscaped = byte === backslash;
      else if (byte === comma || byte === colon) this.signs += 1;
      else if (byte === openList || byte === openObject) this.#open();
      else if (byte === endList || byte === endObject) this.#depth -= 1;
    }
  }

  #open(): void {
    this.signs += 1;
    this.#depth += 1;
    if (this.#depth > this.deepest) this.deepest = this.#depth;
  }
}

/**
 * The JSON body of a request; `{}` when it is empty.
 * @param count called with the bytes that have arrived; what it throws ends the reading
 * @throws AppError 400 when it is no JSON, 413 when it is too long, has too many values or is
 *   nested too deeply, 415 when it is compressed
 */
export async function readJson(
  request: IncomingMessage,
  mostBytes: number,
  count: (bytes: number) => void,
): Promise<unknown> {
  const { 'content-encoding': encoding = 'identity', 'content-length': announced = '0' } = request.headers;
  if (encoding.toLowerCase() !== 'identity') throw unsupportedMedia('Send this without compression.');
  if (Number(announced) > mostBytes) throw tooLong();
  // The client may take long to send the body, so the next request of its network may begin
  // meanwhile
  endTurn(request);
  const bytes = await readBytes(request, (arrived) => {
    if (arrived > mostBytes) throw tooLong();
    count(arrived);
  });
  await takeTurnAgain(request);
  return parse(bytes);
}

async function readBytes(request: IncomingMessage, check: (bytes: number) => void): Promise<Buffer> {
  const pieces: Buffer[] = [];
  const counter = new ValueCounter();
  let bytes = 0;
  // The connection stays open for the next request, even when the body is refused
  for await (const piece of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += piece.length;
    check(bytes);
    counter.add(piece);
    if (counter.signs > mostSigns) throw tooLarge('The request has too many values.');
    if (counter.deepest > mostDepth) throw tooLarge('The request is nested too deeply.');
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function parse(body: Buffer): unknown {
  if (body.length === 0) return {};
  let value: unknown;
  try {
    value = parseWellFormed(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw malformed();
  }
  if (typeof value !== 'object' || value === null) throw malformed();
  return value;
}

const maySpellSurrogate = /\\ud[89a-f]/i;

/**
 * JSON can encode half of a surrogate pair, as in `\ud83d`. A browser does so for a text that was
 * cut inside an emoji. Each half becomes U+FFFD, since MariaDB accepts none in JSON.
 */
function parseWellFormed(json: string): unknown {
  if (!maySpellSurrogate.test(json)) return JSON.parse(json);
  return JSON.parse(json, (_key, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value));
}

function tooLong(): Error {
  return tooLarge('The request is too large.');
}

function malformed(): Error {
  return badRequest('The request body could not be read.', 'malformed_body');
}
