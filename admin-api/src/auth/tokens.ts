import { subtle, type webcrypto } from 'node:crypto';
import { unauthorized } from '@selvage/core/errors';
import type { App } from '@selvage/core/context/app';
import { jwtVerify, SignJWT } from 'jose';

/** The claims of an access token. */
export interface Claims {
  userId: string;
  /** Public key of the session; null for a login that met the session limit. */
  sessionKey: string | null;
  tokenVersion: number;
  expiresAt: Date;
}

/** A token, and for how many seconds it is valid. */
export interface IssuedToken {
  token: string;
  expires_in: number;
}

const accessSeconds = 15 * 60;
const pendingSeconds = 10 * 60;
const issuer = 'selvage';
const fullAudience = 'selvage:api';
/** Audience of a token that can only list and end sessions (D11). */
const pendingAudience = 'selvage:pending';

/** A token for every call that the person may make. */
export async function signAccessToken(
  app: App,
  subject: { userId: string; sessionKey: string; tokenVersion: number },
): Promise<IssuedToken> {
  return await sign(
    app,
    { sid: subject.sessionKey, tv: subject.tokenVersion },
    subject.userId,
    fullAudience,
    accessSeconds,
  );
}

/** A token of a login that met the session limit. */
export async function signPendingToken(
  app: App,
  subject: { userId: string; tokenVersion: number },
): Promise<IssuedToken> {
  return await sign(app, { tv: subject.tokenVersion }, subject.userId, pendingAudience, pendingSeconds);
}

const keys = new WeakMap<App['secrets'], Promise<webcrypto.CryptoKey>>();

/** The signing key. It is imported only once, since each call verifies a token. */
function keyOf({ secrets }: App): Promise<webcrypto.CryptoKey> {
  const known = keys.get(secrets);
  if (known !== undefined) return known;
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = subtle.importKey('raw', secrets.key('access-token'), algorithm, false, ['sign', 'verify']);
  keys.set(secrets, key);
  return key;
}

async function sign(
  app: App,
  claims: object,
  subject: string,
  audience: string,
  seconds: number,
): Promise<IssuedToken> {
  const now = Math.floor(Date.now() / 1000);
  const token = await new SignJWT({ ...claims })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(subject)
    .setIssuer(issuer)
    .setAudience(audience)
    .setIssuedAt(now)
    .setExpirationTime(now + seconds)
    .sign(await keyOf(app));
  return { token, expires_in: seconds };
}

/**
 * Verifies a token and reads its claims.
 * @throws 401 for a token that is forged, expired, for another audience, or signed with another
 * algorithm
 */
export async function readToken(app: App, token: string, options: { allowsPending: boolean }): Promise<Claims> {
  const audience = options.allowsPending ? [fullAudience, pendingAudience] : [fullAudience];
  const { payload } = await jwtVerify(token, await keyOf(app), {
    algorithms: ['HS256'],
    issuer,
    audience,
    requiredClaims: ['sub', 'exp', 'tv'],
  }).catch(() => {
    // The reason of the failure would help only an attacker who forges tokens
    throw unauthorized('Session expired. Please log in again.', 'token_invalid');
  });
  const sessionKey = typeof payload['sid'] === 'string' ? payload['sid'] : null;
  const isPending = payload.aud === pendingAudience;
  if (!payload.sub || !payload.exp || (!isPending && !sessionKey)) {
    throw unauthorized('Session expired. Please log in again.', 'token_invalid');
  }
  return {
    userId: payload.sub,
    sessionKey,
    tokenVersion: Number(payload['tv']),
    expiresAt: new Date(payload.exp * 1000),
  };
}
