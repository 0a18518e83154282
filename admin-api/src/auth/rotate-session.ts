import { recordAccountAudit } from '@selvage/core/access/audit';
import { networkOf } from '@selvage/core/access/network-of';
import type { SessionOverCode } from '@selvage/core/contracts/auth';
import { type AppError, unauthorized } from '@selvage/core/errors';
import { Session } from '@selvage/core/models/session';
import type { Ctx } from '@selvage/core/context/context';
import { log } from '@selvage/core/log';
import { refreshHashOf, refreshTokenAfter, sessionKeyOf } from './refresh-tokens.ts';
import { type OpenedSession, sessionEnd } from './sessions.ts';
import { countAttempt, rules } from './throttle.ts';

/**
 * For this long, the previous token gets the same next token again: the client may have lost the
 * answer, which is no sign of theft (D11).
 */
const repeatMs = 30_000;
/**
 * An exchange may lie so far ahead, since the clocks of two machines differ a little. One further
 * ahead was made before the clock was set back, and its age is not known.
 */
const aheadMs = 60_000;

/**
 * The error for a session that has ended. Clients recognise it by the code, one of a fixed list.
 */
export function sessionOver(code: SessionOverCode, publicText = 'Session expired. Please log in again.'): AppError {
  return unauthorized(publicText, code);
}

/**
 * Exchanges a refresh token for the next one.
 *
 * A thief who uses a stolen token within the 30 seconds gets the pair that the owner has. From then
 * on both hold the same token. Of their next two exchanges the later one is a reuse and ends the
 * session, unless the two again lie within 30 seconds of each other.
 *
 * @throws 401 with one of `sessionOverCodes`; a token that was exchanged before also ends its
 * session. 429 for too many invented tokens
 */
export async function rotateSession(ctx: Ctx, refreshToken: string): Promise<OpenedSession> {
  const sessionKey = sessionKeyOf(ctx.app, refreshToken);
  if (sessionKey === null) {
    // Only invented tokens are limited here. Real tokens can't be guessed, and a whole office
    // exchanges them from one network
    await countAttempt(ctx.app, rules.inventedRefresh, networkOf(ctx.address));
    throw sessionOver('refresh_token_invalid');
  }
  const session = await Session.findOne({ where: { sessionKey } });
  if (!session) throw sessionOver('refresh_token_invalid');
  refuseOver(session);
  const next = refreshTokenAfter(ctx.app, sessionKey, refreshToken);
  const [used, nextHash] = [refreshHashOf(refreshToken), refreshHashOf(next)];
  const now = new Date();
  // With this condition, two calls at once with the same token make only one exchange
  const [exchanged] = await Session.update(
    { refreshHash: nextHash, previousRefreshHash: used, rotatedAt: now, lastActive: now, expiresAt: sessionEnd() },
    { where: { id: session.id, refreshHash: used, endedAt: null } },
  );
  if (exchanged === 1) return { session, refreshToken: next };
  await session.reload();
  refuseOver(session);
  if (session.refreshHash !== nextHash || !isRecent(session.rotatedAt, now)) {
    await endStolen(ctx, session);
    throw sessionOver('refresh_token_invalid');
  }
  log.info('refresh token exchanged once more', { userId: session.userId, sessionId: session.id });
  return { session, refreshToken: next };
}

function refuseOver(session: Session): void {
  if (session.endedAt) throw sessionOver('session_ended');
  if (session.expiresAt <= new Date()) throw sessionOver('refresh_token_invalid');
}

function isRecent(rotatedAt: Date | null, now: Date): boolean {
  const ageMs = now.getTime() - (rotatedAt?.getTime() ?? -Infinity);
  return ageMs > -aheadMs && ageMs <= repeatMs;
}

/**
 * Ends a session whose token was reused. Of several reuses at once, only one ends it and records
 * the audit event.
 */
async function endStolen(ctx: Ctx, session: Session): Promise<void> {
  const [ended] = await Session.update({ endedAt: new Date() }, { where: { id: session.id, endedAt: null } });
  if (ended === 0) return;
  await recordAccountAudit(ctx, { id: session.userId, companyId: session.companyId }, 'session:reuse-detected', {
    details: { session: session.sessionKey.slice(0, 8) },
    isByOwner: false,
  });
  log.warn('refresh token used twice, session ended', { userId: session.userId, sessionId: session.id });
}
