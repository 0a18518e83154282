import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { recordAccountAudit } from '@selvage/core/access/audit';
import { unauthorized } from '@selvage/core/errors';
import { Session } from '@selvage/core/models/session';
import { User } from '@selvage/core/models/user';
import type { App } from '@selvage/core/context/app';
import { type Ctx, inTransaction, type TxCtx } from '@selvage/core/context/context';
import { log } from '@selvage/core/log';
import { Op } from 'sequelize';
import { signInAgain } from './login-step.ts';

/*
 * A refresh token is `<session key>.<256 random bits>.<mac>`. The mac tells a token that we once gave out from an invented one:
 * only the former, used a second time, ends the session (D11), so that nobody can end a session by guessing at its key.
 */

const SESSION_DAYS = 30;
const TOUCH_MS = 60_000;
const expired = () => unauthorized('Session expired. Please log in again.', 'refresh_token_invalid');

/** A session as its owner gets it: the only time the refresh token is known in clear. */
export interface OpenedSession {
  session: Session;
  refreshToken: string;
}

/** Opens a session, or says that the person has as many as they may (D11). */
export async function openSession(ctx: Ctx, user: User, userAgent: string): Promise<OpenedSession | 'limit_reached'> {
  return await inTransaction(ctx, async (inside) => {
    // the person's row is the lock: two sign-ins at once must not both take the last place
    const locked = await User.findByPk(user.id, { transaction: inside.tx, lock: inside.tx.LOCK.UPDATE });
    // since the password was looked at it may have changed, or a second factor may be asked for now
    const isAsBefore = locked?.tokenVersion === user.tokenVersion && locked.twoFactorStatus === user.twoFactorStatus;
    if (!isAsBefore) throw signInAgain();
    const open = await Session.count({ where: liveSessions(user.id), transaction: inside.tx });
    if (open >= ctx.app.config.sessionLimit) return 'limit_reached';
    return await insertSession(inside, user, userAgent);
  });
}

async function insertSession(ctx: TxCtx, user: User, userAgent: string): Promise<OpenedSession> {
  const sessionKey = randomBytes(16).toString('hex');
  const refreshToken = newRefreshToken(ctx.app, sessionKey);
  const session = await Session.create(
    {
      companyId: user.companyId,
      userId: user.id,
      sessionKey,
      refreshHash: sha256(refreshToken),
      deviceIp: ctx.address.slice(0, 45),
      userAgent: userAgent.slice(0, 255),
      tokenVersion: user.tokenVersion,
      lastActive: new Date(),
      expiresAt: sessionEnd(),
    },
    { transaction: ctx.tx },
  );
  return { session, refreshToken };
}

/** Sessions that are open now, the latest used first. */
export async function listSessions(userId: string): Promise<Session[]> {
  return await Session.findAll({ where: liveSessions(userId), order: [['lastActive', 'DESC']] });
}

/** Ends sessions of a person by their keys; a key that is not theirs changes nothing. Gives the keys that were ended. */
export async function endSessions(ctx: Ctx, userId: string, sessionKeys: string[]): Promise<string[]> {
  const where = { ...liveSessions(userId), sessionKey: sessionKeys };
  const sessions = await Session.findAll({ where, transaction: ctx.tx });
  const ids = sessions.map((session) => session.id);
  await Session.update({ endedAt: new Date() }, { where: { id: ids }, transaction: ctx.tx });
  return sessions.map((session) => session.sessionKey);
}

/**
 * Exchanges a refresh token for the next one.
 * @throws 401; a token that was exchanged before also ends its session
 */
export async function rotateSession(ctx: Ctx, refreshToken: string): Promise<OpenedSession> {
  const sessionKey = sessionKeyOf(ctx.app, refreshToken);
  const session = sessionKey ? await Session.findOne({ where: { sessionKey } }) : null;
  if (!session || session.endedAt || session.expiresAt <= new Date()) throw expired();
  const next = newRefreshToken(ctx.app, session.sessionKey);
  const used = sha256(refreshToken);
  // the condition makes it one exchange even when two arrive at once
  const [changed] = await Session.update(
    { refreshHash: sha256(next), previousRefreshHash: used, lastActive: new Date(), expiresAt: sessionEnd() },
    { where: { id: session.id, refreshHash: used, endedAt: null } },
  );
  if (changed === 1) return { session, refreshToken: next };
  await Session.update({ endedAt: new Date() }, { where: { id: session.id } });
  await recordAccountAudit(ctx, { id: session.userId, companyId: session.companyId }, 'session:reuse-detected', {
    details: { session: session.sessionKey.slice(0, 8) },
    isByOwner: false,
  });
  log.warn('refresh token used twice, session ended', { userId: session.userId, sessionId: session.id });
  throw expired();
}

/** Keeps `lastActive` true to the minute without a write per request. */
export async function touchSession(session: Session, now = new Date()): Promise<void> {
  if (now.getTime() - session.lastActive.getTime() < TOUCH_MS) return;
  await Session.update({ lastActive: now }, { where: { id: session.id } });
}

function liveSessions(userId: string) {
  return { userId, endedAt: null, expiresAt: { [Op.gt]: new Date() } };
}

function sessionEnd(): Date {
  return new Date(Date.now() + SESSION_DAYS * 86_400_000);
}

function newRefreshToken(app: App, sessionKey: string): string {
  const content = `${sessionKey}.${randomBytes(32).toString('base64url')}`;
  return `${content}.${mac(app, content)}`;
}

/** The session key of a token that we gave out, else null. */
function sessionKeyOf(app: App, refreshToken: string): string | null {
  const end = refreshToken.lastIndexOf('.');
  const content = refreshToken.slice(0, Math.max(end, 0));
  const given = Buffer.from(refreshToken.slice(end + 1));
  const right = Buffer.from(mac(app, content));
  if (given.length !== right.length || !timingSafeEqual(given, right)) return null;
  return content.split('.')[0] ?? null;
}

function mac(app: App, content: string): string {
  return createHmac('sha256', app.secrets.key('refresh-token')).update(content).digest('base64url');
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
