import { randomBytes } from 'node:crypto';
import { Session } from '@selvage/core/models/session';
import { User } from '@selvage/core/models/user';
import { type Ctx, inTransaction, type TxCtx } from '@selvage/core/context/context';
import { endSessionsWhere } from '@selvage/core/directory/end-all-sessions';
import { Op } from 'sequelize';
import { signInAgain } from './login-step.ts';
import { firstRefreshToken, refreshHashOf } from './refresh-tokens.ts';

/**
 * For how many days an unused session stays valid. `SESSION_DAYS` says how long its row is kept
 * after it ended.
 */
const lifetimeDays = 30;
const touchMs = 60_000;

/** A new session with its refresh token. The database has only the token's hash. */
export interface OpenedSession {
  session: Session;
  refreshToken: string;
}

interface NewSession {
  userAgent: string;
  /**
   * True when the login proves that the session is the owner's: a phishing page could not have
   * relayed it (D13).
   */
  isConfirmed: boolean;
}

/** Opens a session, unless the person has reached the limit (D11). */
export async function openSession(
  ctx: Ctx,
  user: User,
  { userAgent, isConfirmed }: NewSession,
): Promise<OpenedSession | 'limit_reached'> {
  return await inTransaction(ctx, async (inside) => {
    // Locks the person's row, so that two logins at once do not both take the last free session
    const locked = await User.findByPk(user.id, { transaction: inside.tx, lock: inside.tx.LOCK.UPDATE });
    // After the password was checked, it may have been changed, or two-factor may have been turned
    // on
    const isAsBefore = locked?.tokenVersion === user.tokenVersion && locked.twoFactorStatus === user.twoFactorStatus;
    if (!isAsBefore) throw signInAgain();
    const open = await Session.count({ where: liveSessions(user.id), transaction: inside.tx });
    if (open >= ctx.app.config.sessionLimit) return 'limit_reached';
    return await insertSession(inside, user, { userAgent, isConfirmed });
  });
}

async function insertSession(ctx: TxCtx, user: User, { userAgent, isConfirmed }: NewSession): Promise<OpenedSession> {
  const sessionKey = randomBytes(16).toString('hex');
  const refreshToken = firstRefreshToken(ctx.app, sessionKey);
  const session = await Session.create(
    {
      companyId: user.companyId,
      userId: user.id,
      sessionKey,
      refreshHash: refreshHashOf(refreshToken),
      deviceIp: ctx.address.slice(0, 45),
      userAgent: userAgent.slice(0, 255),
      tokenVersion: user.tokenVersion,
      lastActive: new Date(),
      expiresAt: sessionEnd(),
      confirmedAt: isConfirmed ? new Date() : null,
    },
    { transaction: ctx.tx },
  );
  return { session, refreshToken };
}

/** The open sessions, the last used one first. */
export async function listSessions(userId: string): Promise<Session[]> {
  return await Session.findAll({ where: liveSessions(userId), order: [['lastActive', 'DESC']] });
}

/**
 * Ends sessions of a person by their keys. A key of another person's session changes nothing.
 * Returns the keys of the sessions that ended.
 */
export async function endSessions(ctx: TxCtx, userId: string, sessionKeys: string[]): Promise<string[]> {
  return await endSessionsWhere(ctx, { ...liveSessions(userId), sessionKey: sessionKeys });
}

/** Updates `lastActive` at most once a minute, to save a write per request. */
export async function touchSession(session: Pick<Session, 'id' | 'lastActive'>, now = new Date()): Promise<void> {
  if (now.getTime() - session.lastActive.getTime() < touchMs) return;
  await Session.update({ lastActive: now }, { where: { id: session.id } });
}

function liveSessions(userId: string) {
  return { userId, endedAt: null, expiresAt: { [Op.gt]: new Date() } };
}

/** When a session that is used now expires, unless it is used again. */
export function sessionEnd(): Date {
  return new Date(Date.now() + lifetimeDays * 86_400_000);
}
