import { type CallSession, readActor } from '@selvage/core/access/read-actor';
import { type AppError, unauthorized } from '@selvage/core/errors';
import type { App } from '@selvage/core/context/app';
import type { Ctx } from '@selvage/core/context/context';
import { actorContext, type SignedIn } from '../http/request-context.ts';
import { type Claims, readToken } from './tokens.ts';
import { touchSession } from './sessions.ts';

/**
 * Reads the token of a request.
 * @throws 401
 */
export async function readBearer(
  app: App,
  authorization: string,
  options: { allowsPending: boolean },
): Promise<Claims> {
  const token = /^Bearer +([\w.~+/-]+=*)$/i.exec(authorization)?.[1];
  if (!token) throw unauthorized('Please log in.', 'token_missing');
  return await readToken(app, token, options);
}

/**
 * Finds the person and session that a token names. It reads the database on each call, so that an
 * ended session, a deactivated person or company, and a changed permission take effect with the
 * next request (D4).
 * @throws 401
 */
export async function findPerson(ctx: Ctx, claims: Claims): Promise<SignedIn> {
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

/**
 * The error for a token that was issued before a change. The client continues with a new token
 * (D4).
 */
export function tokenOutdated(): AppError {
  return unauthorized('Session expired. Please log in again.', 'token_outdated');
}

function isLive(session: CallSession | null, userId: string): boolean {
  return session !== null && session.userId === userId && !session.endedAt && session.expiresAt > new Date();
}
