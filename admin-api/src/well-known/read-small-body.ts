import { badRequest, tooLarge } from '@selvage/core/errors';
import { withDeadline } from '@selvage/core/with-deadline';
import type { Context } from 'koa';
import { bodyProblem } from '../http/body-problem.ts';
import { endTurn, takeTurnAgain } from '../http/request-turns.ts';
import { tooSlow } from '../http/route.ts';

/**
 * The text of a request, for callers that are not known.
 * @throws {AppError} 413 beyond this many bytes, 408 when it takes too long, 400 for what is no
 * UTF-8, and where the caller hangs up
 */
export async function readSmallBody(koa: Context, limits: { bytes: number; ms: number }): Promise<string> {
  endTurn(koa.req);
  const reading = readBytes(koa, limits.bytes).catch((error: unknown) => Promise.reject(bodyProblem(error)));
  const body = await withDeadline(reading, limits.ms, () => tooSlow(koa));
  await takeTurnAgain(koa.req);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    // What the caller sent is no text
    throw badRequest('The request body could not be read.', 'malformed_body');
  }
}

async function readBytes(koa: Context, limit: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  // The answer goes by the same connection, so leaving the loop must not end it
  for await (const piece of koa.req.iterator({ destroyOnReturn: false })) {
    const bytes = piece as Buffer;
    size += bytes.length;
    if (size > limit) break;
    pieces.push(bytes);
  }
  if (size <= limit) return Buffer.concat(pieces);
  // The rest is discarded while it arrives. An end with bytes unread would take the answer along
  koa.req.resume();
  throw tooLarge('The request is too large.');
}
