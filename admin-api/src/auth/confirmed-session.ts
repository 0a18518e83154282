import { builtInPermissions } from '@selvage/core/access/built-in-roles';
import { holdsAll } from '@selvage/core/access/grant';
import type { PermissionEntry } from '@selvage/core/contracts/auth';
import { builtInRole } from '@selvage/core/contracts/permissions';
import { confirmedMinutes } from '@selvage/core/contracts/two-factor';
import { forbidden, unauthorized } from '@selvage/core/errors';
import { Session } from '@selvage/core/models/session';
import { User } from '@selvage/core/models/user';
import type { SignedIn } from '../http/request-context.ts';
import { requirePassword } from './require-password.ts';

const flagsOfUsers = builtInPermissions(builtInRole.user, false);

/**
 * Refuses an action that gives lasting power over other people's accounts, unless the caller has
 * recently proved that the session is theirs. A thief who has stolen the session can't prove that.
 *
 * The proof is the password, and a code if two-factor is on. For `confirmedMinutes` the login
 * counts as proof too. With two-factor on, only a login by passkey does: a phishing page that
 * relays the login to this host can relay a code as well, but not a passkey.
 * @throws 403 `confirm_first`
 */
export async function requireConfirmed(ctx: SignedIn): Promise<void> {
  const { userId, sessionId } = ctx.actor;
  const [session, user] = await Promise.all([
    sessionId === null ? null : Session.findOne({ where: { sessionKey: sessionId, userId }, transaction: ctx.tx }),
    User.findByPk(userId, { attributes: ['twoFactorStatus'], transaction: ctx.tx }),
  ]);
  if (!session || !user) throw unauthorized();
  const provedAt = session.confirmedAt ?? (user.twoFactorStatus ? null : session.createdAt);
  if (provedAt !== null && isFresh(provedAt)) return;
  throw forbidden('Nothing was changed: confirm first that it is you.', 'confirm_first');
}

/** A proof of a later time was noted while the clock was ahead, and says nothing now. */
function isFresh(provedAt: Date): boolean {
  const ageMs = Date.now() - provedAt.getTime();
  return ageMs > -60_000 && ageMs < confirmedMinutes * 60_000;
}

/**
 * As `requireConfirmed`, for granting flags. Those that every user has for their own mail and
 * account need no proof.
 * @throws 403 `confirm_first`
 */
export async function requireConfirmedToGrant(ctx: SignedIn, granted: readonly PermissionEntry[]): Promise<void> {
  if (!holdsAll({ permissions: flagsOfUsers }, granted)) await requireConfirmed(ctx);
}

/**
 * Requires the password again before a secret is shown, a whole company's mail is given out, or
 * mail is forwarded. With two-factor on, the session must be confirmed as well: a phishing page
 * that relayed the login knows the password.
 * @returns the person
 * @throws 403 `confirm_first`, 422, 429
 */
export async function requireProof(ctx: SignedIn, password: string): Promise<User> {
  const user = await requirePassword(ctx, password);
  if (user.twoFactorStatus) await requireConfirmed(ctx);
  return user;
}

/**
 * Stores that the caller has just proved that the session is theirs.
 * @returns until when the proof counts
 */
export async function markConfirmed(ctx: SignedIn): Promise<Date> {
  const now = new Date();
  const where = { sessionKey: ctx.actor.sessionId ?? '', userId: ctx.actor.userId };
  await Session.update({ confirmedAt: now }, { where, transaction: ctx.tx });
  return new Date(now.getTime() + confirmedMinutes * 60_000);
}
