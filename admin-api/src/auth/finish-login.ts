import { recordAccountAudit } from '@selvage/core/access/audit';
import type { SignInAnswer } from '@selvage/core/contracts/auth';
import { User } from '@selvage/core/models/user';
import { type Ctx, inTransaction } from '@selvage/core/context/context';
import type { Context } from 'koa';
import { forgetLoginStep, type LoginStep, rememberLoginStep } from './login-step.ts';
import { presentSession } from './presenter.ts';
import { type SecondFactor, secondFactorsOf } from './second-factor.ts';
import { listSessions, openSession } from './sessions.ts';
import { signAccessToken, signPendingToken } from './tokens.ts';

/** A login whose password was right. */
export interface Login {
  koa: Context;
  user: User;
  /** The unfinished login that this browser continues; null for a new login. */
  step: LoginStep | null;
}

/** Answers that the login needs a second factor. */
export async function askSecondFactor(ctx: Ctx, { koa, user, step }: Login): Promise<SignInAnswer> {
  await rememberLoginStep(ctx.app, koa, user, { isProven: false, previous: step });
  return {
    success: true,
    message: 'A code is needed',
    otpRequired: true,
    second_factors: await secondFactorsOf(ctx, user),
    password_by_recovery_email: user.passwordByRecoveryEmail,
    ...flagsOf(user),
  };
}

/**
 * Opens the session, or answers that another session has to end first. After that answer this
 * browser may repeat the step without a captcha. It may also leave out a second factor that was
 * right just now, since a code can't be used twice.
 * @param factor the second factor that was right; null for a person who needs none
 */
export async function finishLogin(
  ctx: Ctx,
  { koa, user, step }: Login,
  factor: SecondFactor | 'proven' | null,
): Promise<SignInAnswer> {
  const opened = await inTransaction(ctx, async (inside) => {
    const result = await openSession(inside, user, {
      userAgent: koa.get('user-agent'),
      isConfirmed: factor === 'passkey',
    });
    // A factor other than a mailed code was right: a code is not mailed to the recovery address
    // while `passwordByRecoveryEmail` is set
    if (factor !== null && user.passwordByRecoveryEmail) {
      // Not by `user`: it would count as changed when the transaction is run again
      await User.update({ passwordByRecoveryEmail: false }, { where: { id: user.id }, transaction: inside.tx });
    }
    if (result === 'limit_reached') return result;
    const details = { session: result.session.sessionKey.slice(0, 8), second_factor: factor };
    await recordAccountAudit(inside, user, 'session:start', { details });
    return result;
  });
  const subject = { userId: String(user.id), tokenVersion: user.tokenVersion };
  if (opened === 'limit_reached') {
    await rememberLoginStep(ctx.app, koa, user, { isProven: factor !== null, previous: step });
    const sessions = await listSessions(subject.userId);
    return {
      success: false,
      message: 'You are logged in on too many devices. End one of these sessions first.',
      device_limit_reached: true,
      ...(await signPendingToken(ctx.app, subject)),
      active_sessions: sessions.map(presentSession),
      ...flagsOf(user),
    };
  }
  await forgetLoginStep(ctx.app, koa);
  const issued = await signAccessToken(ctx.app, { ...subject, sessionKey: opened.session.sessionKey });
  return {
    success: true,
    message: 'Login successful',
    ...issued,
    refreshToken: opened.refreshToken,
    ...flagsOf(user),
  };
}

function flagsOf(user: User): Pick<SignInAnswer, 'twoFactorStatus' | 'password_change_required' | 'required_data'> {
  return {
    twoFactorStatus: user.twoFactorStatus,
    password_change_required: user.passwordChangeRequired,
    required_data: user.requiredData,
  };
}
