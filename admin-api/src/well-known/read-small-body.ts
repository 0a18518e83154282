import { badRequest, tooLarge } from '@selvage/core/errors';
import { withDeadline } from '@selvage/core/with-deadline';
import type { Context } from 'koa';
import { bodyProblem } from '../http/body-problem.ts';
import { endTurn, takeTurnAgain } from '../http/request-turns.ts';
import { tooSlow } from '../http/route.ts';

/**
 * The text of a request by an unknown caller.
 * @throws {AppError} 413 when it is longer, 408 when it takes too long, 400 when it is not UTF-8 or
 * the caller disconnects
 */
export async function readSmallBody(koa: Context, limits: { bytes: number; ms: number }): Promise<string> {
  endTurn(koa.req);
  const reading = readBytes(koa, limits.bytes).catch((error: unknown) => Promise.reject(bodyProblem(error)));
  const body = await withDeadline(reading, limits.ms, () => tooSlow(koa));
  await takeTurnAgain(koa.req);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    // The body is not valid UTF-8
    throw badRequest('The request body could not be read.', 'malformed_body');
  }
}

async function readBytes(koa: Context, limit: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  // Leaving the loop must not close the connection, since the answer uses it
  for await (const piece of koa.req.iterator({ destroyOnReturn: false })) {
    const bytes = piece as Buffer;
    size += bytes.length;
    if (size > limit) break;
    pieces.push(bytes);
  }
  if (size <= limit) return Buffer.concat(pieces);
  // Reads and discards the rest. If the connection closed with unread bytes, the client could lose
  // the answer
  koa.req.resume();
  throw tooLarge('The request is too large.');
}
