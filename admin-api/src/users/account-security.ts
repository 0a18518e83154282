import { recordAccountAudit } from '@selvage/core/access/audit';
import { readInScope } from '@selvage/core/access/scope';
import type { TxCtx } from '@selvage/core/context/context';
import type { SessionDto } from '@selvage/core/contracts/auth';
import { endAccess } from '@selvage/core/directory/end-access';
import { conflict } from '@selvage/core/errors';
import { User } from '@selvage/core/models/user';
import { endForwarding } from '@selvage/core/outbound/end-forwarding';
import { tellOwner } from '@selvage/core/outbound/tell-owner';
import { requireConfirmed } from '../auth/confirmed-session.ts';
import { presentSession } from '../auth/presenter.ts';
import { listSessions } from '../auth/sessions.ts';
import { turnTwoFactorOff } from '../auth/switch-two-factor.ts';
import { refuseDeleted } from '../http/record-state.ts';
import type { SignedIn } from '../http/request-context.ts';
import { changeAnother } from './guard-user.ts';

/*
 * What an administrator can do when an attacker may have access to an account, or when its owner
 * has lost the second factor. Each action records an audit event, and the owner is told by mail.
 */

/** @throws 404 */
export async function sessionsOf(ctx: SignedIn, id: string): Promise<SessionDto[]> {
  const user = await readInScope(ctx, User, id);
  return (await listSessions(String(user.id))).map(presentSession);
}

/**
 * Ends all sessions of a person.
 * @returns the keys of the sessions that ended
 * @throws 403 `outranked`, 404, 409
 */
export async function endSessionsOf(ctx: SignedIn, id: string): Promise<string[]> {
  return await actOn(ctx, id, async (tx, user) => {
    const ended = await endAccess(tx, { userIds: [id] });
    await recordAccountAudit(tx, user, 'session:end', { details: { sessions: ended.length }, isByOwner: false });
    await tellOwner(tx, user, 'Your sessions were ended', 'An administrator ended all sessions of your account.');
    return ended;
  });
}

/**
 * Makes a person change their password before they can use anything else.
 * @throws 403 `outranked`, 404, 409
 */
export async function requireNewPassword(ctx: SignedIn, id: string): Promise<void> {
  await actOn(ctx, id, requireNewPasswordOf);
}

/** The same for a person whom the caller may change, and whose row is locked. */
export async function requireNewPasswordOf(tx: TxCtx, user: User): Promise<void> {
  await user.update({ passwordChangeRequired: true }, { transaction: tx.tx });
  await recordAccountAudit(tx, user, 'password:change-required', { isByOwner: false });
  const happened = 'An administrator asks you to change your password. You will be asked for it at your next step.';
  await tellOwner(tx, user, 'Please change your password', happened);
}

/**
 * Turns off the second factor that a person has lost. Their sessions end, since the password alone
 * opens the account from now on, and an attacker may have deceived the administrator.
 * @returns the keys of the sessions that ended
 * @throws 403 `outranked` or `confirm_first`, 404, 409 `two_factor_off`
 */
export async function takeTwoFactorFrom(ctx: SignedIn, id: string): Promise<string[]> {
  return await actOn(ctx, id, async (tx, user) => {
    await requireConfirmed(tx);
    await turnTwoFactorOff(tx, user, 'administrator');
    return await endAccess(tx, { userIds: [id] });
  });
}

/**
 * Ends the forwarding of a person's mail, for example one that an attacker has set up.
 * @throws 403 `outranked`, 404, 409 `not_forwarded`
 */
export async function endForwardingOf(ctx: SignedIn, id: string): Promise<void> {
  await actOn(ctx, id, async (tx, user) => {
    if (user.forwardTo === null) throw conflict('The mail of this user is not forwarded.', 'not_forwarded');
    await endForwarding(tx, user, { isByOwner: false });
    const happened = 'An administrator ended the forwarding of your mail.';
    await tellOwner(tx, user, 'Your mail is no longer forwarded', happened);
  });
}

/** Runs an action on the account of another person, who must not be deleted. */
async function actOn<T>(ctx: SignedIn, id: string, act: (tx: SignedIn & TxCtx, user: User) => Promise<T>): Promise<T> {
  return await changeAnother(ctx, id, async (tx, { user }) => {
    refuseDeleted(user);
    return await act(tx, user);
  });
}
