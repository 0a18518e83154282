import { type CallSession, readActor } from '@selvage/core/access/read-actor';
import { type AppError, unauthorized } from '@selvage/core/errors';
import type { Ctx } from '@selvage/core/context/context';
import { actorContext, type SignedIn } from '../http/request-context.ts';
import { type Claims, readToken } from './tokens.ts';
import { touchSession } from './sessions.ts';

interface Options {
  allowsPending: boolean;
  /** Lets the look-up of a person wait for its turn. */
  inTurn?: <T>(userId: string, lookUp: () => Promise<T>) => Promise<T>;
}

/**
 * Finds the person and session of a request. It asks the database each time, so that an ended
 * session, a deactivated person or company and a changed permission hold from the next request on
 * (D4).
 * @throws 401
 */
export async function authenticateRequest(ctx: Ctx, authorization: string, options: Options): Promise<SignedIn> {
  const token = /^Bearer +([\w.~+/-]+=*)$/i.exec(authorization)?.[1];
  if (!token) throw unauthorized('Please log in.', 'token_missing');
  const { context } = await authenticateToken(ctx, token, options);
  return context;
}

/** As `authenticateRequest`, for a bare token; also gives what the token says. */
export async function authenticateToken(
  ctx: Ctx,
  token: string,
  options: Options,
): Promise<{ context: SignedIn; claims: Claims }> {
  const claims = await readToken(ctx.app, token, options);
  const { inTurn = (_userId, lookUp) => lookUp() } = options;
  return { context: await inTurn(claims.userId, () => findPerson(ctx, claims)), claims };
}

async function findPerson(ctx: Ctx, claims: Claims): Promise<SignedIn> {
  const found = await readActor(ctx, claims.userId, claims.sessionKey);
  if (!found) throw unauthorized('This account cannot be used.', 'account_unusable');
  const { actor, session } = found;
  if (claims.sessionKey && !isLive(session, claims.userId)) {
    throw unauthorized('Session expired. Please log in again.', 'session_ended');
  }
  if (actor.tokenVersion !== claims.tokenVersion) {
    throw tokenOutdated();
  }
  if (session) await touchSession(session);
  return actorContext(ctx, actor);
}

/** The answer to a token from before a change; with a new one the client goes on (D4). */
export function tokenOutdated(): AppError {
  return unauthorized('Session expired. Please log in again.', 'token_outdated');
}

function isLive(session: CallSession | null, userId: string): boolean {
  return session !== null && session.userId === userId && !session.endedAt && session.expiresAt > new Date();
}
