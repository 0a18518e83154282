import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { App } from '@selvage/core/context/app';

/*
 * A refresh token is `<session key>.<256 bits>.<mac>`. Only the server can make the mac, so it can
 * tell a token that it gave out from an invented one. Only a token that it gave out ends the
 * session when it is used again (D11): an attacker cannot end a session by guessing its key.
 *
 * The bits of the first token are random. The bits of each later token are derived from the token
 * before it, with a key that only the server has. So the server can repeat an answer that was lost,
 * although the database holds only hashes.
 *
 * The alternative is to keep the next token sealed in the database for those seconds. That would
 * put something into the database that opens a session. Derivation has a cost as well: a thief who
 * has both a token and the server's key can compute the tokens after it. But a thief who has that
 * key can already sign access tokens.
 */

/** The refresh token that a session begins with. */
export function firstRefreshToken(app: App, sessionKey: string): string {
  return withMac(app, `${sessionKey}.${randomBytes(32).toString('base64url')}`);
}

/** The next token for which a token is exchanged. It is the same for each call. */
export function refreshTokenAfter(app: App, sessionKey: string, token: string): string {
  return withMac(app, `${sessionKey}.${keyed(app, 'refresh-token-after', token)}`);
}

/** The session key in a token that this host issued; null for any other token. */
export function sessionKeyOf(app: App, token: string): string | null {
  const content = token.slice(0, Math.max(token.lastIndexOf('.'), 0));
  const given = Buffer.from(token);
  const right = Buffer.from(withMac(app, content));
  if (given.length !== right.length || !timingSafeEqual(given, right)) return null;
  return content.split('.')[0] ?? null;
}

/** The hash of a token that the database stores. */
export function refreshHashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

function withMac(app: App, content: string): string {
  return `${content}.${keyed(app, 'refresh-token', content)}`;
}

function keyed(app: App, purpose: string, text: string): string {
  return createHmac('sha256', app.secrets.key(purpose)).update(text).digest('base64url');
}
