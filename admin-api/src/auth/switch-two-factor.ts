import { recordAccountAudit } from '@selvage/core/access/audit';
import { endAllSessions } from '@selvage/core/directory/end-all-sessions';
import { findRecoveryAddress } from '@selvage/core/directory/recovery-address';
import { removeSecondFactor } from '@selvage/core/directory/remove-second-factor';
import { conflict } from '@selvage/core/errors';
import { AppPassword } from '@selvage/core/models/app-password';
import { User } from '@selvage/core/models/user';
import { type Ctx, inTransaction, type TxCtx } from '@selvage/core/context/context';
import { tellOwner, tellTwoFactorOff } from '@selvage/core/outbound/tell-owner';
import { sayForwarding } from '../account/forwarding.ts';
import { replaceRecoveryCodes } from './recovery-codes.ts';
import type { SecondFactor } from './second-factor.ts';

/** The result of setting up an app. */
interface SetUp {
  /** New ones; missing when those of before stay. */
  recoveryCodes?: string[];
  /** Keys of the sessions that ended. */
  ended: string[];
}

/** An app whose first code was right. */
interface ConfirmedApp {
  sealedSecret: string;
  /** The time step of that code. */
  step: number;
  /** The session that set it up. */
  sessionKey: string;
}

/**
 * Turns two-factor on. The person's other sessions end: they were opened with the password alone,
 * and one of them may belong to an attacker who stole it.
 * @throws 409 when it is on already
 */
export async function turnTwoFactorOn(ctx: Ctx, user: User, confirmed: ConfirmedApp): Promise<SetUp> {
  return await inTransaction(ctx, async (inside) => {
    // With this condition, only one of two changes at once succeeds
    const where = { id: user.id, twoFactorStatus: false };
    const [changed] = await User.update(columnsOf(confirmed), { where, transaction: inside.tx });
    if (changed === 0) throw alreadyOn();
    const recoveryCodes = await replaceRecoveryCodes(inside, user);
    const ended = await endAllSessions(inside, String(user.id), { exceptSession: confirmed.sessionKey });
    await recordAccountAudit(inside, user, 'two-factor:on', { details: { sessions_ended: ended.length } });
    const happened = 'Two-factor authentication was turned on for your account. All other sessions were ended.';
    await tellOwner(inside, user, 'Two-factor authentication is on', `${happened}${await sayRemaining(inside, user)}`);
    return { recoveryCodes, ended };
  });
}

function columnsOf({ sealedSecret, step }: ConfirmedApp) {
  // The code that confirmed the app counts as used
  return { twoFactorStatus: true, twoFactorSecret: sealedSecret, twoFactorLastStep: step };
}

/**
 * Puts another app in the place of the one whose secret is `replaced`. Passkeys and recovery codes
 * stay. The person's other sessions end: the old app may be in the hands of an attacker.
 * @throws 409 when two-factor was turned off or yet another app was set up since
 */
export async function replaceApp(
  ctx: Ctx,
  user: User,
  { replaced, ...confirmed }: ConfirmedApp & { replaced: string },
): Promise<SetUp> {
  return await inTransaction(ctx, async (inside) => {
    const where = { id: user.id, twoFactorStatus: true, twoFactorSecret: replaced };
    const [changed] = await User.update(columnsOf(confirmed), { where, transaction: inside.tx });
    if (changed === 0) throw conflict('Two-factor authentication was changed meanwhile.', 'two_factor_changed');
    const ended = await endAllSessions(inside, String(user.id), { exceptSession: confirmed.sessionKey });
    await recordAccountAudit(inside, user, 'two-factor:app-replaced', { details: { sessions_ended: ended.length } });
    const happened =
      'Another authenticator app was set up for your account. Codes of the one before no longer work. All other sessions were ended.';
    await tellOwner(inside, user, 'Another authenticator app was set up', happened);
    return { ended };
  });
}

/**
 * Other ways into the account that work without a code, or that can turn two-factor off. The owner
 * decides about them: most owners have set these up themselves, but an attacker may have done so
 * before two-factor was on.
 * @returns sentences for the owner; empty when there are none
 */
async function sayRemaining(ctx: TxCtx, user: User): Promise<string> {
  const { recoveryEmail } = user;
  const recovery = await findRecoveryAddress(ctx, user);
  const appPasswords = await AppPassword.count({ where: { userId: user.id }, transaction: ctx.tx });
  const remaining = [
    ...(appPasswords === 1 ? [' 1 app password still works without a code.'] : []),
    ...(appPasswords > 1 ? [` ${appPasswords} app passwords still work without a code.`] : []),
    ...(recovery ? [` A code that is mailed to ${recovery} can turn it off again.`] : []),
    ...(recoveryEmail && recoveryEmail !== recovery
      ? [` Once ${recoveryEmail} is confirmed as your recovery email, a code that is mailed there can turn it off.`]
      : []),
    sayForwarding(user),
  ].join('');
  return remaining === '' ? '' : `${remaining} Please remove in the account settings what you do not know.`;
}

/**
 * Turns two-factor off, and deletes everything that belongs to it.
 * @param provedBy the factor that the person proved; `administrator` when an administrator does it
 * @throws 409 when it is off already
 */
export async function turnTwoFactorOff(ctx: Ctx, user: User, provedBy: SecondFactor | 'administrator'): Promise<void> {
  const isByOwner = provedBy !== 'administrator';
  await inTransaction(ctx, async (inside) => {
    if (!(await removeSecondFactor(inside, user))) throw alreadyOff();
    await recordAccountAudit(inside, user, 'two-factor:off', { details: { proved_by: provedBy }, isByOwner });
    await tellTwoFactorOff(inside, user, isByOwner ? null : 'administrator');
  });
}

function alreadyOn(): Error {
  return conflict('Two-factor authentication is on already.', 'two_factor_on');
}

export function alreadyOff(): Error {
  return conflict('Two-factor authentication is not on.', 'two_factor_off');
}
